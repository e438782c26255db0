export const SSE_TYPE = 'text/event-stream'

export const typeOf = (response: Response): string => response.headers.get('content-type') ?? ''

/** Whether the server answered with events. */
export const isStream = (response: Response): boolean => response.ok && typeOf(response).includes(SSE_TYPE)

/** Lets go of a body that nobody reads. */
export const discard = (response: Response): void => void response.body?.cancel().catch(() => {})
