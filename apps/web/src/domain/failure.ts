/** Why something did not work. `wiring/explain` has a next step for each. */
export const failureCodes = [
  'bad-input',
  'not-found',
  'vault-locked',
  'wrong-passphrase',
  'wrong-key',
  'no-model',
  'unknown-model',
  'rate-limit',
  'too-long',
  'refused-by-model',
  'no-network',
  'cors',
  'timeout',
  'stopped',
  'server-unreachable',
  'server-disabled',
  'sign-in-needed',
  'protocol',
  'not-given',
  'tool-gone',
  'no-such-tool',
  'tool-failed',
  'bad-arguments',
  'bad-result',
  'outcome-unknown',
  'call-limit',
  'busy-elsewhere',
  'storage',
  'storage-full',
  'storage-denied',
  'storage-blocked',
  'storage-newer',
  'storage-outdated',
  'storage-gone',
  'storage-damaged',
  'companion',
  'internal',
] as const

export type FailureCode = (typeof failureCodes)[number]

/** The JSON-RPC error of a server. Untrusted, bounded in length, and without credentials. */
export interface ServerError {
  code?: number | undefined
  message: string
  /** Its `data` as JSON text; not valid JSON where it was cut. */
  data?: string | undefined
}

/** Its schema is a file of its own, so that the page, which only shows failures, loads no schemas. */
export interface Failure {
  code: FailureCode
  /** What happened, to whom, with the measure; whole sentences for a person, never a secret. */
  message: string
  /** When it is worth trying again, where the far side said so. */
  retryAt?: number | undefined
  /** What the server answered, where that is the reason. */
  serverError?: ServerError | undefined
  /** What to authenticate with, where the server refuses requests and offers no sign-in page. */
  wants?: 'bearer' | 'basic' | undefined
}

/** A failure on its way up; what is stored and sent to the page is its `failure`. */
export class Failed extends Error {
  override name = 'Failed'
  readonly failure: Failure
  constructor(
    code: FailureCode,
    message: string,
    { cause, retryAt, serverError, wants }: Partial<Omit<Failure, 'code' | 'message'>> & { cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.failure = {
      code,
      message,
      ...(retryAt !== undefined && { retryAt }),
      ...(serverError && { serverError }),
      ...(wants && { wants }),
    }
  }
}

/** Whatever was thrown, as a failure. What is not ours may hold a secret, so nothing of it is repeated. */
export const failureOf = (error: unknown): Failure =>
  error instanceof Failed
    ? error.failure
    : {
        code: 'internal',
        message: 'The app failed here, and it is not your doing. Try again; if it stays, reload the page.',
      }
