import { isLoopback } from '#domain/loopback.ts'
import { isObject } from './is-object.ts'
import type { Send } from './ask.ts'
import type { DocumentState, SignInEvidence } from './evidence.ts'
import { get, knock } from './questions.ts'

const LIMIT_MS = 2_500
const MAX_BYTES = 65_536

interface Document {
  state: DocumentState
  fields?: Record<string, unknown>
}

/** Follows the way from a refusal to whoever signs people in, and sees where it ends. */
export async function gatherSignIn(
  url: string,
  challenge: string | undefined,
  fetch: Send,
  signal: AbortSignal,
): Promise<SignInEvidence> {
  const { origin, pathname } = new URL(url)
  const told = /resource_metadata="?([^",\s]+)"?/i.exec(challenge ?? '')?.[1]
  const path = pathname === '/' ? '' : pathname
  const known = [
    `${origin}/.well-known/oauth-protected-resource${path}`,
    `${origin}/.well-known/oauth-protected-resource`,
  ]
  const resource = await firstOf(told === undefined ? known : [told], url, fetch, signal)
  const servers = resource.fields?.['authorization_servers']
  const issuer: unknown = Array.isArray(servers) ? servers[0] : undefined
  if (resource.state !== 'read' || typeof issuer !== 'string' || !URL.canParse(issuer))
    return { resource: resource.state === 'read' ? 'missing' : resource.state }
  const { origin: home, pathname: at, host } = new URL(issuer)
  const below = at === '/' ? '' : at.replace(/\/$/, '')
  const document = await firstOf(
    [
      `${home}/.well-known/oauth-authorization-server${below}`,
      `${home}/.well-known/openid-configuration${below}`,
      `${home}${below}/.well-known/openid-configuration`,
    ],
    url,
    fetch,
    signal,
  )
  return { resource: 'read', issuer: { host, document: document.state } }
}

/** The first that can be read; else the one that says most. */
async function firstOf(urls: string[], server: string, fetch: Send, signal: AbortSignal): Promise<Document> {
  const found = await Promise.all([...new Set(urls)].map((url) => read(url, server, fetch, signal)))
  const order: DocumentState[] = ['read', 'forbidden', 'hidden', 'missing', 'unreachable']
  return (
    found.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))[0] ?? { state: 'missing' }
  )
}

async function read(url: string, server: string, fetch: Send, signal: AbortSignal): Promise<Document> {
  // A server names these addresses: it must not have us knock at the machines around us.
  if (!mayAsk(url, server)) return { state: 'forbidden' }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  const common = { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer', signal: limit } as const
  try {
    const response = await fetch(url, { ...get, redirect: 'manual', ...common })
    if (!response.ok) return { state: 'missing' }
    const text = await beginning(response)
    const fields: unknown = JSON.parse(text)
    return isObject(fields) ? { state: 'read', fields } : { state: 'missing' }
  } catch (error) {
    if (error instanceof SyntaxError) return { state: 'missing' }
  }
  try {
    await fetch(url, { ...knock, ...common })
    return { state: 'hidden' }
  } catch {
    return { state: 'unreachable' }
  }
}

function mayAsk(text: string, server: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  // Servers of this machine may name each other; nobody else may name them.
  if (isLoopback(url.hostname)) return isLoopback(new URL(server).hostname)
  return url.protocol === 'https:'
}

async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (done) return text
    text += decoder.decode(value, { stream: true })
    if (text.length > MAX_BYTES) throw new SyntaxError('too long')
  }
}
