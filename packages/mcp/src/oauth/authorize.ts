import * as oauth from 'oauth4webapi'
import { safeAddress } from './address.ts'
import { memoryOf, readClient, recordAuthorizationServer, recordedIssuer } from './bindings.ts'
import { now } from './clock.ts'
import type { Discovered } from './discover.ts'
import { asObject, type Wire } from './fetch-document.ts'
import { codeOf, OAuthError } from './oauth-error.ts'
import type { OAuthClientInformation, OAuthClientProvider } from './provider.ts'
import { unionOf } from './scope.ts'

/** A flow that is older than this was given up. */
const FLOW_MS = 10 * 60_000

/**
 * What is known of a flow when a person is sent away; all of it has to fit when somebody comes back. A provider that keeps
 * the verifier alone may lose the rest with the process: then what it stores otherwise takes the place of the record.
 */
export interface Flow {
  verifier: string
  state: string | undefined
  issuer: string | undefined
  resource: string | undefined
  clientId: string | undefined
  redirectUri: string
  scope?: string | undefined
  /** What a person agreed to before they were sent. */
  agreed?: string | undefined
  /** Where the server's description was found, if its challenge said so. */
  metadataUrl?: string | undefined
  begunAt?: number
}

/** Sends a person to sign in, with everything written down that their return is measured by. */
export async function beginFlow(
  wire: Wire,
  provider: OAuthClientProvider,
  serverUrl: URL,
  { server, resource, sentResource, agreed, metadataUrl }: Discovered,
  client: OAuthClientInformation,
  scope: string | undefined,
): Promise<void> {
  const { issuer, code_challenge_methods_supported: methods } = server
  const { host } = new URL(issuer)
  // Where nothing is said, a person may know better; where it is said, it is known.
  const protects =
    methods?.includes('S256') ??
    (await provider.confirm?.({ kind: 'no-pkce', server: serverUrl.origin, issuer: new URL(issuer).origin }))
  if (!protects) throw new OAuthError('no-pkce', `${host} does not protect sign-in codes (PKCE with S256): not used`)
  const redirectUri = String(provider.redirectUrl)
  const verifier = oauth.generateRandomCodeVerifier()
  const state = (await provider.state?.()) || oauth.generateRandomState()
  const url = safeAddress(server.authorization_endpoint, `The authorization_endpoint of ${host}`, wire)
  const grants = provider.clientMetadata.grant_types
  const offline = server.scopes_supported?.includes('offline_access') && (!grants || grants.includes('refresh_token'))
  // Alone it would ask for nothing else.
  const asked = scope && offline ? unionOf(scope, 'offline_access') : scope
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.client_id,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    redirect_uri: redirectUri,
    state,
    resource: sentResource,
    scope: asked,
    // Without the question no lasting token is given.
    prompt: asked?.split(' ').includes('offline_access') ? 'consent' : undefined,
  }
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value)
  const flow: Flow = {
    verifier,
    state,
    issuer,
    resource,
    clientId: client.client_id,
    redirectUri,
    scope: asked,
    agreed,
    metadataUrl,
    begunAt: now(),
  }
  await provider.saveState?.(state)
  await recordAuthorizationServer(provider, {
    issuer,
    authorizationServerUrl: new URL(issuer).href,
    tokenEndpoint: new URL(server.token_endpoint ?? '/token', issuer).href,
  })
  if (provider.savePendingAuthorization) await provider.savePendingAuthorization(JSON.stringify(flow))
  else {
    await provider.saveCodeVerifier(verifier)
    memoryOf(provider).flow = flow
  }
  await provider.redirectToAuthorization(url)
}

/** The flow that was begun, taken out of the provider: nothing of it can be used a second time. */
export async function takeFlow(provider: OAuthClientProvider): Promise<Flow> {
  const flow = provider.pendingAuthorization ? await takeRecord(provider) : await takeVerifier(provider)
  if (!flow) {
    throw new OAuthError('foreign-answer', 'Somebody came back from signing in, but nobody was sent: sign in again')
  }
  const ageMs = now() - (flow.begunAt ?? now())
  if (ageMs > FLOW_MS || ageMs < -FLOW_MS) throw new OAuthError('timeout', 'Signing in took too long: begin anew')
  return flow
}

async function takeRecord(provider: OAuthClientProvider): Promise<Flow | undefined> {
  const saved = asObject((await provider.pendingAuthorization?.()) ?? '') as Partial<Flow> | undefined
  if (provider.invalidateCredentials) await provider.invalidateCredentials('verifier')
  else await provider.savePendingAuthorization?.('')
  const { verifier, state, issuer, resource, clientId, redirectUri, begunAt } = saved ?? {}
  const isWhole = verifier && state && issuer && resource && clientId && redirectUri && typeof begunAt === 'number'
  return isWhole ? (saved as Flow) : undefined
}

async function takeVerifier(provider: OAuthClientProvider): Promise<Flow | undefined> {
  const memory = memoryOf(provider)
  const { flow, spentVerifier } = memory
  let verifier: unknown
  try {
    verifier = await provider.codeVerifier()
  } catch {
    // Many providers throw where there is none.
  }
  if (typeof verifier !== 'string' || verifier === '' || verifier === spentVerifier) return undefined
  // Read before anything is invalidated: a provider may keep all of it in one place.
  const rest = flow?.verifier === verifier ? flow : await restoreFlow(provider, verifier)
  memory.flow = undefined
  memory.spentVerifier = verifier
  await provider.invalidateCredentials?.('verifier')
  return rest
}

/** A sign-in that began in another process, from what the provider stored. */
async function restoreFlow(provider: OAuthClientProvider, verifier: string): Promise<Flow> {
  const issuer = (await recordedIssuer(provider)) ?? (await readClient(provider))?.issuer
  const keepsRecord = !!provider.saveDiscoveryState || !!provider.saveAuthorizationServerInformation
  // The record was written before anybody was sent. Without it, any server that is named now would get the code.
  if (keepsRecord && issuer === undefined) {
    throw new OAuthError('foreign-answer', 'The provider no longer knows the authorization server: sign in again')
  }
  return {
    verifier,
    state: await provider.storedState?.(),
    issuer,
    resource: undefined,
    clientId: undefined,
    redirectUri: String(provider.redirectUrl),
  }
}

/** The code in the answer of the sign-in page, if the answer belongs to this flow and comes from where it was asked. */
export function readCode(
  { state, issuer }: Flow,
  { server }: Discovered,
  answer: URLSearchParams,
  needed: { state: boolean; issuer: boolean },
): string {
  const { host } = new URL(issuer ?? server.issuer)
  if (server.issuer !== (issuer ?? server.issuer))
    throw new OAuthError('issuer-mismatch', `${host} is not asked any more: begin anew`)
  const parameters = new URLSearchParams(answer)
  const [given] = parameters.getAll('state')
  if (given === undefined && !needed.state && state !== undefined) parameters.set('state', state)
  if (!needed.issuer && !parameters.has('iss')) parameters.set('iss', server.issuer)
  // Without a record of the state, the verifier alone ties the answer to this client.
  const expected = state ?? oauth.skipStateCheck
  let valid: URLSearchParams
  try {
    valid = oauth.validateAuthResponse(server as oauth.AuthorizationServer, { client_id: 'any' }, parameters, expected)
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      const code = codeOf(error.error) ?? 'an error'
      throw new OAuthError('denied', `${host} did not sign in: ${code}`, code)
    }
    if (given === undefined && state !== undefined)
      throw new OAuthError('foreign-answer', `The answer brings no state: hand in the whole query that ${host} sent`)
    // Nothing of the answer is shown: it may be anybody's.
    throw new OAuthError('foreign-answer', `The answer is not the one that was asked of ${host}: begin anew`)
  }
  const [code, another] = valid.getAll('code')
  if (!code || another !== undefined)
    throw new OAuthError('foreign-answer', `The answer of ${host} does not hold one code: begin anew`)
  return code
}
