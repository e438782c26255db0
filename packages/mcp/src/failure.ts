import { type FailureDetails, MCPError, type Reason } from './errors.ts'

/** A value of strangers in words. Objects may have a `toString` of their own making, which must not be called. */
export const say = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')

/** Text of strangers for an error message: short, one line, no control or direction characters. */
export function quote(text: unknown): string {
  return say(text)
    .slice(0, 200)
    .replace(/[\p{C}\s]+/gu, ' ')
}

/** A failed request in words: the deed, the server, what happened, and what to do where it may have run. */
export function failure(
  place: string,
  { method, params }: { method: string; params?: { [key: string]: unknown } | undefined },
  text: string,
  reason: Reason,
  details: FailureDetails = {},
): MCPError {
  const about = params?.['name'] ?? params?.['uri']
  const error = new MCPError(`${method}${about ? ` ${quote(about)}` : ''} at ${place} ${text}`, reason, {
    ...details,
    method,
  })
  if (error.isOutcomeUnknown()) error.message += '. It may have run: check before running it again'
  return error
}
