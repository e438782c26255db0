import { type MachineOptions, MachineProvider } from './client-credentials.ts'
import { asObject, fetchBounded, wireTo } from './fetch-document.ts'
import { findServerMetadata } from './discover.ts'
import { safeAddress } from './address.ts'
import { codeOf, OAuthError } from './oauth-error.ts'
import type { GrantContext } from './provider.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:'
const TOKEN = 'urn:ietf:params:oauth:token-type:'

/** In whose name a program comes, and who says so. */
export interface JwtBearerOptions extends MachineOptions {
  clientSecret?: string | undefined
  /** A JWT that the authorization server accepts in place of a person (RFC 7523); made anew for each use. */
  assertion: (context: GrantContext) => string | Promise<string>
}

/** The JWT bearer grant: a statement of somebody the authorization server trusts, for a token. */
export class JwtBearerProvider extends MachineProvider {
  readonly #assertion: JwtBearerOptions['assertion']

  constructor({ clientSecret, assertion, ...options }: JwtBearerOptions) {
    if (typeof assertion !== 'function') throw new TypeError('assertion is needed: a function that gives a JWT')
    super(options, clientSecret)
    this.#assertion = assertion
  }

  async prepareTokenRequest(scope: string | undefined, context: GrantContext): Promise<URLSearchParams> {
    const assertion = await this.#assertion(context)
    return new URLSearchParams({ grant_type: `${GRANT}jwt-bearer`, assertion, ...(scope && { scope }) })
  }
}

/** Which identity provider vouches, and for whom. */
export interface EnterpriseOptions extends Omit<JwtBearerOptions, 'assertion'> {
  /** The identity provider of the house, where people have signed in already. */
  idp: { issuer?: string; tokenEndpoint?: string; clientId: string; clientSecret?: string | undefined }
  /** The ID token that the identity provider gave when the person signed in. */
  idToken: () => string | Promise<string>
}

/**
 * Enterprise-managed authorization: the identity provider says for this server who a person is and what they may do, and
 * nobody has to sign in again.
 */
export class EnterpriseProvider extends JwtBearerProvider {
  constructor({ idp, idToken, ...options }: EnterpriseOptions) {
    if (!idp?.clientId || !(idp.issuer ?? idp.tokenEndpoint))
      throw new TypeError('idp needs clientId, and issuer or tokenEndpoint')
    super({ ...options, assertion: async (context) => exchange(idp, await idToken(), context, options.scope) })
  }
}

/** Changes an ID token for a statement that is good at one authorization server only (RFC 8693). */
async function exchange(
  { issuer, tokenEndpoint, clientId, clientSecret }: EnterpriseOptions['idp'],
  idToken: string,
  { issuer: audience, resource, fetch }: GrantContext,
  scope: string | undefined,
): Promise<string> {
  const wire = wireTo(new URL(tokenEndpoint ?? issuer ?? ''), fetch)
  const endpoint = tokenEndpoint ?? (issuer && (await findServerMetadata(wire, issuer))?.token_endpoint)
  const url = safeAddress(endpoint, 'The token endpoint of the identity provider', wire)
  const body = new URLSearchParams({
    grant_type: `${GRANT}token-exchange`,
    requested_token_type: `${TOKEN}id-jag`,
    subject_token: idToken,
    subject_token_type: `${TOKEN}id_token`,
    audience,
    resource,
    client_id: clientId,
    ...(clientSecret && { client_secret: clientSecret }),
    ...(scope && { scope }),
  })
  const { text } = await fetchBounded(wire, 'token endpoint', url.href, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  })
  const answer = asObject(text)
  const token = answer?.['access_token']
  if (typeof token === 'string' && token && answer?.['issued_token_type'] === `${TOKEN}id-jag`) return token
  const code = codeOf(answer?.['error'])
  throw new OAuthError(
    'token-refused',
    `${url.host} gave no statement for ${new URL(audience).host}: ${code ?? 'no reason'}`,
    code,
  )
}
