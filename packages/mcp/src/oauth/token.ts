import { now } from './clock.ts'
import type { Discovered } from './discover.ts'
import { asObject, type Fetched, fetchBounded, type Wire } from './fetch-document.ts'
import { codeOf, OAuthError } from './oauth-error.ts'
import type { OAuthClientInformation, OAuthClientProvider, OAuthTokens, ProofOfPossession } from './provider.ts'
import { isText } from './sendable.ts'

const YEAR_S = 365 * 24 * 3600
/** Tokens are renewed this long before they end, so that none ends on its way. */
const AHEAD_MS = 30_000

/** Whether tokens have ended, or are about to. Unknown is no: then the server says it. */
export function isExpiring(
  { expires_in: expiresIn, obtained_at: obtainedAt }: OAuthTokens,
  aheadMs = AHEAD_MS,
): boolean {
  if (typeof expiresIn !== 'number' || typeof obtainedAt !== 'number') return false
  const lifeMs = expiresIn * 1000
  const ageMs = now() - obtainedAt
  // No life at all, or a clock that was set back, tells nothing. Short lives are used for half at least.
  return lifeMs > 0 && ageMs >= 0 && ageMs > lifeMs - Math.min(aheadMs, lifeMs / 2)
}

/** Asks the token endpoint for tokens; they come back bound to the server they came from and the one they are for. */
export async function requestTokens(
  wire: Wire,
  provider: OAuthClientProvider,
  { server, resource, sentResource, agreed }: Discovered,
  client: OAuthClientInformation,
  parameters: URLSearchParams,
): Promise<OAuthTokens> {
  const { issuer, token_endpoint: endpoint = '' } = server
  if (sentResource) parameters.set('resource', sentResource)
  const form = await formOf(provider, server, client, parameters)
  const answer = await fetchProven(wire, await provider.dpop?.(), endpoint, form)
  return { ...readTokens(answer, new URL(issuer).host), issuer, resource, agreed, obtained_at: now() }
}

/** The tokens in an answer, or why there are none. An id token is kept, but nobody here looks into it. */
function readTokens({ status, text }: Fetched, host: string): OAuthTokens {
  const body = asObject(text) ?? {}
  const code = codeOf(body['error'])
  // A server that is busy has refused nothing, whatever it calls it.
  const refuses = status < 500 && status !== 429
  if (refuses && (code ?? /^40[013]$/.test(`${status}`)))
    throw new OAuthError('token-refused', `${host} gave no token: ${code ?? `HTTP ${status}`}`, code)
  if (status !== 200) throw new OAuthError('network', `${host} gave no token: HTTP ${status}`)
  const { access_token: token, token_type: type, expires_in: expires, refresh_token, scope, id_token } = body
  if (!isText(token) || !isText(type) || !/^(bearer|dpop)$/i.test(type)) {
    throw new OAuthError('bad-document', `The answer of the token endpoint of ${host} is no token that can be sent`)
  }
  const tokens: OAuthTokens = { access_token: token, token_type: type }
  const seconds = typeof expires === 'string' ? Number.parseFloat(expires) : expires
  // A lifetime of nonsense is no lifetime.
  if (typeof seconds === 'number' && !Number.isNaN(seconds)) tokens.expires_in = Math.min(Math.max(seconds, 0), YEAR_S)
  if (isText(refresh_token)) tokens.refresh_token = refresh_token
  if (isText(scope)) tokens.scope = scope
  if (isText(id_token)) tokens.id_token = id_token
  return tokens
}

/** One request, again once where the server wants its nonce in the proof. */
async function fetchProven(wire: Wire, proof: ProofOfPossession | undefined, address: string, init: RequestInit) {
  for (let attempt = 0; ; attempt++) {
    const proven = proof && { dpop: await proof.buildProof({ htm: 'POST', htu: address }) }
    const headers = { ...(init.headers as Record<string, string>), ...proven }
    const answer = await fetchBounded(wire, 'token endpoint', address, { ...init, headers })
    const { status, headers: answered, text } = answer
    proof?.observeNonce(new Response(null, { headers: answered }), address)
    const wantsNonce = proof && attempt === 0 && status === 400 && asObject(text)?.['error'] === 'use_dpop_nonce'
    if (!wantsNonce) return answer
  }
}

/** What an endpoint is sent: the parameters, and who the client is in a way the server takes. */
export async function formOf(
  provider: OAuthClientProvider,
  server: Discovered['server'],
  { client_id: id, client_secret: secret, token_endpoint_auth_method: wanted }: OAuthClientInformation,
  body: URLSearchParams,
): Promise<RequestInit> {
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' })
  if (provider.addClientAuthentication) {
    await provider.addClientAuthentication(headers, body, server.token_endpoint ?? '', server)
    if (!body.has('client_id') && !headers.has('authorization')) body.set('client_id', id)
  } else {
    const takes = server.token_endpoint_auth_methods_supported ?? [wanted ?? 'client_secret_basic']
    const method = [wanted, 'client_secret_basic', 'client_secret_post'].find((name) => name && takes.includes(name))
    if (secret && method === 'client_secret_basic') {
      // Less than the standard encodes, and still decoded by it: many servers compare without decoding.
      headers.set('authorization', `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`)
    } else {
      body.set('client_id', id)
      if (secret && method === 'client_secret_post') body.set('client_secret', secret)
    }
  }
  return { method: 'POST', headers: Object.fromEntries(headers), body: body.toString() }
}

/** New tokens for old ones. What the answer leaves out stays as it was. */
export async function refreshTokens(
  wire: Wire,
  provider: OAuthClientProvider,
  discovered: Discovered,
  client: OAuthClientInformation,
  tokens: OAuthTokens,
): Promise<OAuthTokens> {
  const parameters = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' })
  const scope = await provider.scopeForRefresh?.(tokens)
  if (scope) parameters.set('scope', scope)
  const ask = () => requestTokens(wire, provider, discovered, client, new URLSearchParams(parameters))
  const fresh = await ask().catch((error: unknown) => {
    // The answer may be lost while the question was heard: once more, before anything is given up.
    if (error instanceof OAuthError && (error.fault === 'network' || error.fault === 'timeout')) return ask()
    throw error
  })
  return { ...(tokens.scope && { scope: tokens.scope }), refresh_token: tokens.refresh_token, ...fresh }
}
