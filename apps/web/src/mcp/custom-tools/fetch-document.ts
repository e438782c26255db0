import { Failed } from '#domain/failure.ts'
import { checkAddress } from '../check-address.ts'

const LIMIT_MS = 30_000

/** A document from an address that the user gave: without any credential, bounded, and from nowhere else than there. */
export async function fetchDocument(
  address: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  maxBytes: number,
): Promise<string> {
  const url = checkAddress(address)
  const { host } = new URL(url)
  let response: Response
  let text: string | undefined
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json, application/yaml, text/*;q=0.9, */*;q=0.5' },
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    if (response.ok) text = await readText(response, maxBytes)
  } catch {
    throw new Failed(
      'server-unreachable',
      `${host} gave no document. It may be down, or forbid web pages to read from it (CORS). Download it yourself, and choose the file here.`,
    )
  }
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    throw new Failed('bad-input', `${host} leads elsewhere, and it was not followed: enter the final address.`)
  if (!response.ok)
    throw new Failed('bad-input', `${host} answered with HTTP ${response.status}, and with no document.`)
  if (text === undefined)
    throw new Failed('bad-input', `The document of ${host} is larger than the ${maxBytes >> 20} MiB that are read.`)
  return text
}

/** The text, unless there is more of it than is read. */
async function readText({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let text = ''
  let size = 0
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.length
    if (size > maxBytes) {
      void reader?.cancel().catch(() => {})
      return undefined
    }
    text += decoder.decode(next.value, { stream: true })
  }
  return text + decoder.decode()
}
