// Who signs in for each scenario about authorization, and what may happen on the way.
import { deepStrictEqual, ok, strictEqual } from 'node:assert'

/**
 * @typedef {typeof import('../packages/mcp/dist/oauth/index.js')} Library
 * @typedef {import('../packages/mcp/dist/oauth/index.js').OAuthClientProvider} OAuthClientProvider
 * @typedef {import('../packages/mcp/dist/oauth/index.js').Question} Question
 * @typedef {{ serverUrl: string, confirm: (question: Question) => boolean }} Common
 *
 * @typedef {object} SignIn
 * @property {string[]} [visits] What is asked for at each visit of a sign-in page; one for nothing in particular, if unsaid
 * @property {Question['kind'][]} [questions] What the person has to agree to
 * @property {import('../packages/mcp/dist/oauth/index.js').OAuthFault} [fault] Why there must be no connection
 * @property {boolean} [legacy] The server is of 2025-03-26
 * @property {boolean} [dpop] Tokens are bound to a key
 * @property {(library: Library, common: Common, context: Record<string, string>) => OAuthClientProvider} [machine] Signs in without a person
 */

/** @type {SignIn} */
const clientCredentialsBasic = {
  machine: ({ ClientCredentialsProvider }, common, { client_id: clientId = '', client_secret: clientSecret = '' }) =>
    new ClientCredentialsProvider({ ...common, clientId, clientSecret }),
}

/** @type {SignIn} */
const clientCredentialsJwt = {
  machine: (
    { PrivateKeyJwtProvider },
    common,
    { client_id: clientId = '', private_key_pem = '', signing_algorithm },
  ) => {
    strictEqual(signing_algorithm, 'ES256')
    return new PrivateKeyJwtProvider({ ...common, clientId, privateKey: private_key_pem, algorithm: signing_algorithm })
  },
}

/** @type {SignIn} */
const enterprise = {
  machine: ({ EnterpriseProvider }, common, context) =>
    new EnterpriseProvider({
      ...common,
      clientId: context.client_id ?? '',
      clientSecret: context.client_secret,
      idp: { issuer: context.idp_issuer ?? '', clientId: context.idp_client_id ?? '' },
      idToken: () => context.idp_id_token ?? '',
    }),
}

/** @type {SignIn} */
const workload = {
  machine: ({ JwtBearerProvider }, common, { client_id: clientId = '', valid_jwt: assertion = '' }) =>
    new JwtBearerProvider({ ...common, clientId, assertion: () => assertion }),
}

/** @type {Record<string, SignIn>} */
export const signIns = {
  'auth/metadata-default': {},
  'auth/metadata-var1': {},
  'auth/metadata-var2': { questions: ['parent-resource'] },
  'auth/metadata-var3': {},
  'auth/basic-cimd': {},
  'auth/scope-from-www-authenticate': { visits: ['mcp:basic'] },
  'auth/scope-from-scopes-supported': { visits: ['mcp:basic mcp:read mcp:write'] },
  'auth/scope-omitted-when-undefined': {},
  'auth/scope-step-up': { visits: ['mcp:basic', 'mcp:basic mcp:write'] },
  'auth/scope-retry-limit': { visits: ['mcp:admin'], fault: 'scope-refused' },
  'auth/token-endpoint-auth-basic': {},
  'auth/token-endpoint-auth-post': {},
  'auth/token-endpoint-auth-none': {},
  'auth/pre-registration': {},
  'auth/2025-03-26-oauth-metadata-backcompat': { legacy: true },
  'auth/2025-03-26-oauth-endpoint-fallback': { legacy: true },
  'auth/resource-mismatch': { visits: [], fault: 'resource-mismatch' },
  'auth/offline-access-scope': { visits: ['mcp:basic offline_access'] },
  'auth/offline-access-not-supported': { visits: ['mcp:basic mcp:read'] },
  'auth/authorization-server-migration': { visits: ['mcp:basic', 'mcp:basic'], questions: ['provider-changed'] },
  'auth/iss-supported': {},
  'auth/iss-not-advertised': {},
  'auth/iss-supported-missing': { fault: 'foreign-answer' },
  'auth/iss-wrong-issuer': { fault: 'foreign-answer' },
  'auth/iss-unexpected': { fault: 'foreign-answer' },
  'auth/iss-normalized': { fault: 'foreign-answer' },
  'auth/metadata-issuer-mismatch': { visits: [], fault: 'issuer-mismatch' },
  'auth/client-credentials-basic': clientCredentialsBasic,
  'auth/client-credentials-jwt': clientCredentialsJwt,
  'auth/cross-app-access-complete-flow': enterprise,
  'auth/enterprise-managed-authorization': enterprise,
  'auth/wif-jwt-bearer': workload,
  'auth/dpop': { dpop: true },
  'auth/dpop-nonce': { dpop: true },
}

// Nobody listens there: the sign-in pages of the tools send the person back at once, and only the address is read.
const redirectUrl = 'http://localhost:8765/callback'
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'

/**
 * The provider for the scenario, and what has to be true of it in the end.
 * @param {Library} library
 * @param {SignIn} signIn
 * @param {string} serverUrl
 * @returns {{ provider: OAuthClientProvider, check: () => void }}
 */
export function prepareSignIn(library, signIn, serverUrl) {
  const { machine, dpop, legacy, questions = [], visits = machine ? [] : [''] } = signIn
  /** @type {Record<string, string>} */
  const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
  /** @type {string[]} */
  const visited = []
  /** @type {string[]} */
  const asked = []
  const common = {
    serverUrl,
    confirm: (/** @type {Question} */ question) => {
      strictEqual(new URL(question.server).origin, new URL(serverUrl).origin)
      asked.push(question.kind)
      return true
    },
  }
  const provider =
    machine?.(library, common, context) ??
    new library.InMemoryOAuthProvider({
      ...common,
      redirectUrl,
      clientMetadataUrl,
      clientInformation: registeredClient(context),
      allowLegacyDiscovery: legacy,
      dpop: dpop ? library.createDPoP() : undefined,
      signIn: async (url) => {
        visited.push(url.searchParams.get('scope') ?? '')
        return visit(url)
      },
    })
  return {
    provider,
    check() {
      deepStrictEqual(visited, visits, 'the visits of sign-in pages')
      deepStrictEqual(asked, questions, 'the questions to the person')
    },
  }
}

/** @param {Record<string, string>} context */
function registeredClient({ client_id, client_secret, issuer }) {
  return client_id ? { client_id, client_secret, issuer } : undefined
}

/** Opens a sign-in page, and reads what a browser would bring back from it. @param {URL} url */
async function visit(url) {
  const response = await fetch(url, { redirect: 'manual' })
  await response.text()
  const { origin, pathname, searchParams } = new URL(response.headers.get('location') ?? '')
  strictEqual(origin + pathname, redirectUrl)
  return searchParams
}

/**
 * @param {Library} library
 * @param {Promise<unknown>} connecting
 * @param {string} fault
 */
export async function expectFault({ oauthErrorOf, UnauthorizedError }, connecting, fault) {
  const error = await connecting.then(
    () => undefined,
    (reason) => reason,
  )
  ok(error, 'the connection had to be refused')
  ok(error instanceof UnauthorizedError, error)
  strictEqual(oauthErrorOf(error)?.fault, fault, error)
}
