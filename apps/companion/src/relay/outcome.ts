import type { Refused } from '../bridge/refused.ts'

/** Why there is no answer of a server. Nothing was sent to it unless it is `late` or `broken`. */
export type Outcome = 'dns' | 'private' | 'refused' | 'tls' | 'late' | 'broken'

export function outcomeOf({ status, cause }: Refused): Outcome {
  if (status === 403) return 'private'
  // It did not come as far as a connection.
  if (cause === undefined) return 'dns'
  const { code = '', name = '', message = '' } = cause as { code?: string; name?: string; message?: string }
  if (name === 'AbortError' || name === 'TimeoutError' || code === 'ETIMEDOUT' || message.startsWith('no connection'))
    return 'late'
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return 'refused'
  if (/CERT|SELF_SIGNED|^UNABLE_TO|^ERR_(TLS|SSL)|^EPROTO$|^HOSTNAME_MISMATCH/.test(code)) return 'tls'
  return 'broken'
}
