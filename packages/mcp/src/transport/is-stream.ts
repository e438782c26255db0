import { SSE_TYPE, typeOf } from './response.ts'

/** Whether the server answered with events. */
export const isStream = (response: Response): boolean => response.ok && typeOf(response).includes(SSE_TYPE)
