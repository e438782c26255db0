import { Refused } from '../bridge/refused.ts'
import type { Reach, RelayOrigins } from './relay-origins.ts'

export interface Target {
  readonly url: URL
  readonly reach: Reach
}

/** The address that a path of the relay stands for; throws what is said to the client when it may not be reached. */
export function judgeTarget(encoded: string, origins: RelayOrigins): Target {
  let text: string
  try {
    text = decodeURIComponent(encoded)
  } catch {
    throw new Refused(400, 'The target is not encoded as a part of an address.')
  }
  if (!URL.canParse(text)) throw new Refused(400, 'The target is no address.')
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) throw new Refused(403, 'The relay reaches http and https.')
  if (url.username !== '' || url.password !== '' || text.includes('#'))
    throw new Refused(403, 'A target has no user, no password and no fragment.')
  const reach = origins.reach(url.origin)
  if (!reach) throw new Refused(403, `The relay is not turned on for ${url.origin}.`)
  return { url, reach }
}
