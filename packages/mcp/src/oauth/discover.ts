import type { JsonObject } from '../jsonrpc.ts'
import { quote } from '../failure.ts'
import { safeAddress } from './address.ts'
import { fetchDocument, stringsOf, type Wire } from './fetch-document.ts'
import { OAuthError } from './oauth-error.ts'
import type {
  AuthorizationServerMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  ResourceMetadata,
} from './provider.ts'

/** Where a server's tokens come from, and for what they are good. */
export interface Discovered {
  /** What the tokens are bound to. */
  resource: string
  /** The value of `resource` in every request; undefined where the provider wants none. */
  sentResource: string | undefined
  /** What a person agreed to, so that nobody is asked twice. */
  agreed: string
  resourceMetadata: ResourceMetadata | undefined
  /** Where the server's challenge said its description is. */
  metadataUrl: string | undefined
  server: AuthorizationServerMetadata
  /** What `recordDiscovery` saves; undefined if the provider already has it. */
  unsavedState: OAuthDiscoveryState | undefined
}

const RESOURCE = 'protected resource metadata'
const SERVER = 'authorization server metadata'
const WELL_KNOWN = '/.well-known/'
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint']
const LISTS = [
  'scopes_supported',
  'grant_types_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
]

/**
 * Finds the authorization server of an MCP server and reads what it says of itself. `before` is what tokens, or a sign-in
 * under way, know of it: their issuer stays when it is still among several, and nobody is asked again.
 */
export async function discover(
  wire: Wire,
  provider: OAuthClientProvider,
  givenUrl: string | URL,
  metadataUrl: string | undefined,
  before: { issuer?: string | undefined; agreed?: string | undefined } = {},
): Promise<Discovered> {
  const serverUrl = new URL(givenUrl)
  const known = before.issuer
  const state = await provider.discoveryState?.()
  const describedAt = state ? state.resourceMetadataUrl : metadataUrl
  const foreign = await askAboutForeignMetadata(wire, provider, serverUrl, describedAt, before.agreed)
  const resourceMetadata = state?.resourceMetadata ?? (await findResourceMetadata(wire, serverUrl, describedAt))
  const { resource, sentResource } = await chooseResource(provider, serverUrl, resourceMetadata?.resource)
  const issuers = state ? [state.authorizationServerUrl] : (resourceMetadata?.authorization_servers ?? [])
  const legacy = issuers.length === 0 && allowedLegacy(provider, resourceMetadata)
  const issuer = known !== undefined && issuers.includes(known) ? known : (issuers[0] ?? serverUrl.origin)
  if (issuers.length === 0 && !legacy) {
    throw new OAuthError(
      'bad-document',
      resourceMetadata
        ? `The ${RESOURCE} of ${serverUrl.host} names no authorization server`
        : describesNothing(serverUrl),
    )
  }
  safeAddress(issuer, `The authorization server of ${serverUrl.host}`, wire)
  // As the caller gave it: applications compare it with the string that they configured.
  await provider.validateAuthorizationServerURL?.(givenUrl, issuer)
  const server =
    storedMetadata(state) ??
    (await findServerMetadata(wire, issuer, legacy !== false || state !== undefined)) ??
    (legacy === true ? legacyEndpoints(issuer) : undefined)
  if (!server) {
    throw new OAuthError(
      'bad-document',
      legacy ? describesNothing(serverUrl) : `${new URL(issuer).host} has no ${SERVER}`,
    )
  }
  checkEndpoints(wire, server)
  await provider.saveAuthorizationServerUrl?.(server.issuer)
  if (sentResource) await provider.saveResourceUrl?.(sentResource)
  const unsavedState = state?.authorizationServerMetadata
    ? undefined
    : {
        authorizationServerUrl: issuer,
        authorizationServerMetadata: server,
        ...(resourceMetadata && { resourceMetadata }),
        ...(describedAt !== undefined && { resourceMetadataUrl: describedAt }),
      }
  const agreed = [resource, ...hostsOf(server), ...(foreign ? [foreign] : [])].join(' ')
  if (agreed !== before.agreed) {
    await askAboutParent(provider, serverUrl, resource)
    await askAboutForeignEndpoints(provider, serverUrl, server)
  }
  return { resource, sentResource, agreed, resourceMetadata, metadataUrl, server, unsavedState }
}

const describesNothing = ({ host }: URL): string =>
  `${host} wants a token, but does not say where to sign in: it has neither ${RESOURCE} nor ${SERVER}`

/** A server with a description that names nobody is not an old one: people have to allow it expressly. */
function allowedLegacy(
  { allowLegacyDiscovery }: OAuthClientProvider,
  resourceMetadata: ResourceMetadata | undefined,
): boolean | 'metadata' {
  return resourceMetadata ? allowLegacyDiscovery === true : (allowLegacyDiscovery ?? true)
}

/** The metadata that a provider kept, unless it is that of another authorization server. */
function storedMetadata(state: OAuthDiscoveryState | undefined): AuthorizationServerMetadata | undefined {
  const metadata = state?.authorizationServerMetadata
  return metadata && isSameOrSlash(metadata.issuer, state.authorizationServerUrl) ? metadata : undefined
}

/** Whether two issuers differ by no more than the slash of a bare origin, which leads to the same documents. */
function isSameOrSlash(issuer: unknown, other: string): boolean {
  if (issuer === other || typeof issuer !== 'string') return issuer === other
  const { origin } = new URL(other)
  return [issuer, other].every((one) => one === origin || one === `${origin}/`)
}

/**
 * Metadata on another origin lets that origin choose where a person signs in, so nothing is requested there before the
 * provider allows it. Returns what was agreed to, for the record that is kept with the tokens.
 */
async function askAboutForeignMetadata(
  wire: Wire,
  provider: OAuthClientProvider,
  serverUrl: URL,
  metadataUrl: string | undefined,
  agreedBefore: string | undefined,
): Promise<string | undefined> {
  if (metadataUrl === undefined) return undefined
  const { origin } = safeAddress(metadataUrl, `The address of the ${RESOURCE} of ${serverUrl.host}`, wire)
  if (origin === serverUrl.origin) return undefined
  const agreement = `metadata:${origin}`
  const allowed =
    agreedBefore?.split(' ').includes(agreement) ||
    provider.resourceMetadataOrigins?.includes(origin) ||
    (await provider.confirm?.({ kind: 'foreign-metadata', server: serverUrl.origin, metadata: origin }))
  if (allowed) return agreement
  throw new OAuthError(
    'foreign-metadata',
    `The ${RESOURCE} of ${serverUrl.origin} is on another origin, ${origin}: allow it in resourceMetadataOrigins or in confirm`,
  )
}

/** The first sound document of several places. What is wrong at one of them is told only when no other has it. */
async function firstOf<T>(
  places: Iterable<string>,
  read: (place: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  let fault: OAuthError | undefined
  for (const place of places) {
    try {
      const found = await read(place)
      if (found) return found
    } catch (error) {
      // A page cannot read a 404 without CORS headers: to it, that is a network fault.
      if (!(error instanceof OAuthError) || error.fault === 'timeout') throw error
      fault ??= error
    }
  }
  if (fault) throw fault
  return undefined
}

/** The server's own description: where its challenge says, else at the two places where it belongs. */
async function findResourceMetadata(
  wire: Wire,
  serverUrl: URL,
  metadataUrl: string | undefined,
): Promise<ResourceMetadata | undefined> {
  const { origin, pathname } = serverUrl
  const root = `${origin}${WELL_KNOWN}oauth-protected-resource`
  const places = [pathname === '/' ? root : root + pathname.replace(/\/$/, ''), root]
  if (metadataUrl !== undefined) places.unshift(new URL(metadataUrl).href)
  return firstOf(new Set(places), async (place) => {
    const document = await fetchDocument(wire, RESOURCE, place)
    if (!document) return undefined
    const what = `${RESOURCE} of ${new URL(place).host}`
    stringsOf(document, 'authorization_servers', what)
    stringsOf(document, 'scopes_supported', what)
    if (typeof document['resource'] !== 'string') throw new OAuthError('bad-document', `The ${what} names no resource`)
    return document as unknown as ResourceMetadata
  })
}

/** A token for another server must not be asked for here: it would be handed to this one. */
async function chooseResource(
  provider: OAuthClientProvider,
  serverUrl: URL,
  claimed: string | undefined,
): Promise<{ resource: string; sentResource: string | undefined }> {
  const own = new URL(serverUrl)
  own.hash = ''
  // A bare origin has no slash of its own.
  const canonical = own.pathname === '/' && !own.search ? own.origin : own.href
  if (provider.validateResourceURL) {
    const chosen = (await provider.validateResourceURL(serverUrl, claimed))?.href
    return { resource: chosen ?? canonical, sentResource: chosen }
  }
  const resource = claimed ?? canonical
  if (!isWithin(own, resource)) {
    throw new OAuthError(
      'resource-mismatch',
      `The ${RESOURCE} of ${own.host} speaks of another server: ${quote(resource)}`,
    )
  }
  return { resource, sentResource: resource }
}

/** A token may be good for more than this server. */
async function askAboutParent(provider: OAuthClientProvider, serverUrl: URL, resource: string): Promise<void> {
  const server = serverUrl.origin + serverUrl.pathname
  if (!isWithin(serverUrl, resource) || new URL(resource).href === new URL(server).href) return
  const agreed = (await provider.confirm?.({ kind: 'parent-resource', server, resource })) ?? true
  if (!agreed) throw new OAuthError('parent-resource', `Tokens of ${server} would be good for all of ${resource}`)
}

/** Whether a server is the one of which `resource` speaks, or below it. */
export function isWithin(server: URL, resource: string): boolean {
  if (!URL.canParse(resource)) return false
  const { origin, pathname, search, hash, username, password, href } = new URL(resource)
  if (href === server.href) return true
  const parent = pathname.replace(/\/*$/, '/')
  return (
    !(search || hash || username || password) && origin === server.origin && `${server.pathname}/`.startsWith(parent)
  )
}

/** Where the metadata of an issuer may be, in the order of the specification. */
export function metadataPlaces(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const places = [
    `${origin}${WELL_KNOWN}oauth-authorization-server${path}`,
    `${origin}${WELL_KNOWN}openid-configuration${path}`,
    `${origin}${path}${WELL_KNOWN}openid-configuration`,
  ]
  return [...new Set(places)]
}

export async function findServerMetadata(
  wire: Wire,
  issuer: string,
  takesSlash = false,
): Promise<AuthorizationServerMetadata | undefined> {
  const { host, search } = safeAddress(issuer, 'The issuer', wire)
  if (search) throw new OAuthError('unsafe-address', `The issuer at ${host} must have no query`)
  return firstOf(metadataPlaces(issuer), async (place) => {
    const document = await fetchDocument(wire, SERVER, place)
    if (!document) return undefined
    // Letter by letter: whoever can change the spelling can be somebody else. Where the issuer is a guess from the server's
    // own address, the spelling is the document's: the official server SDK writes a bare origin with a slash.
    const isSame = takesSlash ? isSameOrSlash(document['issuer'], issuer) : document['issuer'] === issuer
    if (!isSame) {
      const names = `"${quote(document['issuer'])}" instead of "${quote(issuer)}"`
      throw new OAuthError('issuer-mismatch', `The ${SERVER} of ${host} is issued in another name: ${names}`)
    }
    for (const name of LISTS) stringsOf(document, name, `${SERVER} of ${host}`)
    return document as JsonObject as AuthorizationServerMetadata
  })
}

/** The fixed addresses of the revision of 2025-03-26, for servers without metadata. */
function legacyEndpoints(issuer: string): AuthorizationServerMetadata {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    code_challenge_methods_supported: ['S256'],
  }
}

function checkEndpoints(wire: Wire, server: AuthorizationServerMetadata): void {
  const { host } = new URL(server.issuer)
  for (const name of ENDPOINTS) {
    if (server[name] !== undefined) safeAddress(server[name], `The ${name} of ${host}`, wire)
  }
  if (server.token_endpoint === undefined) {
    throw new OAuthError('bad-document', `The ${SERVER} of ${host} has no token_endpoint`)
  }
}

/** Whom this authorization server works with: itself, tokens, the sign-in page, the rest. */
function hostsOf(server: AuthorizationServerMetadata): string[] {
  const { issuer, authorization_endpoint: authorization = issuer, token_endpoint: token = issuer } = server
  const { registration_endpoint: registration = issuer, revocation_endpoint: revocation = issuer } = server
  return [issuer, token, authorization, registration, revocation].map((address) => new URL(address).origin)
}

/** A sign-in page of one house with the token endpoint of another is how codes are stolen. */
async function askAboutForeignEndpoints(
  provider: OAuthClientProvider,
  serverUrl: URL,
  server: AuthorizationServerMetadata,
): Promise<void> {
  const hosts = hostsOf(server)
  if (new Set(hosts).size === 1) return
  const [issuerHost = '', tokenHost = '', authorizationHost, ...rest] = hosts
  const others = [...new Set(rest)].filter((host) => host !== issuerHost)
  const agreed = await provider.confirm?.({
    kind: 'foreign-endpoints',
    server: serverUrl.origin,
    issuer: issuerHost,
    authorization: authorizationHost,
    token: tokenHost,
    others,
  })
  if (!agreed) {
    throw new OAuthError(
      'foreign-endpoints',
      `${issuerHost} signs people in at ${authorizationHost} and gives tokens at ${tokenHost}${others.map((host) => `, works with ${host}`).join('')}: agree to it in confirm`,
    )
  }
}
