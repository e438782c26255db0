import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { failed, json } from './answers.ts'
import { readFields } from './handler.ts'

/** So many addresses can be waiting to be opened; of more, the oldest no longer lets in. */
const WAITING = 20

/** Admitted browsers are remembered for the life of this run; of more, the oldest has to be opened with a new code. */
const ADMITTED = 200
const COOKIE_SECONDS = 30 * 24 * 3_600

/** Cookies ignore the port, so each companion of this machine has a name of its own. */
const cookieName = (request: Request): string => `switchboard-${new URL(request.url).port}`

function cookieOf(request: Request): string | undefined {
  const all = (request.headers.get('cookie') ?? '').split(';').map((one) => one.trim())
  const name = `${cookieName(request)}=`
  return all.find((one) => one.startsWith(name))?.slice(name.length)
}

const isSame = (given: string, right: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Lets a page in by a code that works once. A browser writes every address that it opens into its history, so the address
 * carries no token, only a code that is exchanged for it and is worthless afterwards.
 *
 * A reload gets the token again for two halves: a cookie, which no script can read, and a proof, which the app keeps. The
 * page can read the proof but not send requests; another program on a port of this machine may be sent the cookie but has
 * no proof.
 */
export function createAdmission(token: string, onAdmitted: () => void) {
  const codes = new Set<string>()
  const key = randomBytes(32)
  const admitted = new Set<string>()
  const proofOf = (cookie: string): string => createHmac('sha256', key).update(cookie).digest('base64url')

  function admit(request: Request): Response {
    const known = cookieOf(request)
    // Tabs of one browser share their cookie, so they share the proof too.
    const cookie = known !== undefined && admitted.has(known) ? known : randomBytes(32).toString('base64url')
    admitted.add(cookie)
    const [oldest] = admitted
    if (admitted.size > ADMITTED && oldest !== undefined) admitted.delete(oldest)
    onAdmitted()
    const attributes = `Path=/api/open; HttpOnly; SameSite=Strict; Max-Age=${COOKIE_SECONDS}`
    return json({ token, proof: proofOf(cookie) }, 200, {
      'set-cookie': `${cookieName(request)}=${cookie}; ${attributes}`,
    })
  }

  function readmit(request: Request, proof: string): Response {
    const cookie = cookieOf(request)
    if (cookie === undefined || !admitted.has(cookie) || !isSame(proof, proofOf(cookie)))
      return failed(410, 'This browser was not let in by this run. Open the address that the program printed.')
    return json({ token })
  }

  return {
    newCode(): string {
      const code = randomBytes(32).toString('base64url')
      codes.add(code)
      const [oldest] = codes
      if (codes.size > WAITING && oldest !== undefined) codes.delete(oldest)
      return code
    },
    async answer(request: Request): Promise<Response> {
      if (request.method !== 'POST') return failed(405, 'POST it.', { allow: 'POST' })
      const fields = await readFields(request, ['code', 'proof'])
      if (fields instanceof Response) return fields
      if (typeof fields['proof'] === 'string') return readmit(request, fields['proof'])
      if (!codes.delete(String(fields['code'])))
        return failed(410, 'This address was opened before. The program printed a new one.')
      return admit(request)
    },
  }
}
