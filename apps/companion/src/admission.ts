import { randomBytes } from 'node:crypto'
import { failed, json } from './answers.ts'
import { readFields } from './handler.ts'

/** So many addresses can be waiting to be opened; of more, the oldest no longer lets in. */
const WAITING = 20

/**
 * Lets a page in by a code that works once. A browser writes every address that it opens into its history, so the address
 * carries no token, only a code that is exchanged for it and is worthless afterwards.
 */
export function createAdmission(token: string, onAdmitted: () => void) {
  const codes = new Set<string>()
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
      const fields = await readFields(request, ['code'])
      if (fields instanceof Response) return fields
      if (!codes.delete(String(fields['code'])))
        return failed(410, 'This address was opened before. The program printed a new one.')
      onAdmitted()
      return json({ token })
    },
  }
}
