import { isMCPError } from '../errors.ts'

/** What a failed look says of the task: it is gone, nothing, or that no look will succeed. */
export type Verdict = 'gone' | 'passing' | 'final'

/** A lost look is no lost task. */
export function judgeFailure(error: unknown): Verdict {
  if (!isMCPError(error)) return 'final'
  const { reason, code, statusCode = 0 } = error
  switch (reason) {
    case 'rpc':
      if (code === -32602) return 'gone'
      // The server does not know tasks any more, or refuses how we ask.
      return /^-32(60[01]|02[0-2])$/.test(String(code)) ? 'final' : 'passing'
    case 'session-expired':
      return 'gone'
    case 'network':
    case 'timeout':
      return 'passing'
    case 'http':
      return statusCode === 408 || statusCode === 429 || statusCode > 499 ? 'passing' : 'final'
    default:
      return 'final'
  }
}
