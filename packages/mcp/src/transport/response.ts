export const SSE_TYPE = 'text/event-stream'

export const typeOf = (response: Response): string => response.headers.get('content-type') ?? ''

/** Lets go of a body that nobody reads. */
export const discard = (response: Response): void => void response.body?.cancel().catch(() => {})
