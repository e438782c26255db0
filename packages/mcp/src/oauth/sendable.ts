/** Something that can be sent in a header or a form, and is there. */
export const isText = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)
