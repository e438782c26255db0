export const MAX_DOCUMENT_BYTES = 20 << 20
