import * as oauth from 'oauth4webapi'
import { MachineProvider, type MachineOptions } from './client-credentials.ts'
import type { Jwk, SigningKey } from './key-types.ts'
import type { AuthorizationServerMetadata } from './provider.ts'

/** How assertions are signed. */
export type SigningAlgorithm = 'RS256' | 'RS384' | 'RS512' | 'ES256' | 'ES384' | 'ES512'

/** The key that a program proves itself with. */
export interface PrivateKeyJwtOptions extends MachineOptions {
  /** A `CryptoKey`, a JWK, or PKCS #8 as PEM. */
  privateKey: SigningKey | Jwk | string
  /** Needed for all but a `CryptoKey`, which knows its own. */
  algorithm?: SigningAlgorithm
  keyId?: string
  /** For whom the assertion is meant. Default: the issuer; some want their token endpoint. */
  audience?: string
}

const CURVES = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }

/** The client credentials grant, with a signed assertion in place of a secret. */
export class PrivateKeyJwtProvider extends MachineProvider {
  readonly #key: Promise<SigningKey>
  readonly #keyId: string | undefined
  readonly #audience: string | undefined

  constructor({ privateKey, algorithm, keyId, audience, ...options }: PrivateKeyJwtOptions) {
    super(options)
    if (!privateKey) throw new TypeError('privateKey is needed')
    this.#keyId = keyId
    this.#audience = audience
    this.#key = importPrivateKey(privateKey, algorithm)
    // Told when it is used.
    this.#key.catch(() => {})
  }

  async addClientAuthentication(
    headers: Headers,
    params: URLSearchParams,
    _url: string | URL,
    metadata?: AuthorizationServerMetadata,
  ): Promise<void> {
    const client = { client_id: this.options.clientInformation?.client_id ?? '' }
    const key = await this.#key
    const audience = this.#audience
    const sign = oauth.PrivateKeyJwt(this.#keyId === undefined ? key : { key, kid: this.#keyId }, {
      [oauth.modifyAssertion]: (_header, claims) => {
        if (audience) claims['aud'] = audience
      },
    })
    await sign(metadata as oauth.AuthorizationServer, client, params, headers)
  }
}

/** A private key for signing, of whatever form; a TypeError that shows nothing of it says what is wrong. */
export async function importPrivateKey(
  given: SigningKey | Jwk | string,
  algorithm: SigningAlgorithm | undefined,
): Promise<SigningKey> {
  if (given instanceof CryptoKey) return given
  const jwk = typeof given === 'string' ? undefined : given
  const name = algorithm ?? (jwk?.alg as SigningAlgorithm | undefined)
  if (!name || !/^(RS|ES)(256|384|512)$/.test(name))
    throw new TypeError('algorithm is needed: RS256, RS384, RS512, ES256, ES384 or ES512')
  const hash = `SHA-${name.slice(2)}`
  const parameters =
    name in CURVES
      ? { name: 'ECDSA', namedCurve: CURVES[name as keyof typeof CURVES] }
      : { name: 'RSASSA-PKCS1-v1_5', hash }
  try {
    if (jwk) {
      // Both would otherwise have to agree with us, letter by letter.
      const { alg: _alg, key_ops: _ops, use: _use, ...key } = jwk
      return await crypto.subtle.importKey('jwk', key, parameters, false, ['sign'])
    }
    const body = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/.exec(given as string)?.[1]
    if (body === undefined) throw new TypeError('no PKCS #8')
    const der = Uint8Array.from(atob(body.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0))
    return await crypto.subtle.importKey('pkcs8', der, parameters, false, ['sign'])
  } catch {
    throw new TypeError(`privateKey is no key for ${name}: a JWK, or PEM that begins with BEGIN PRIVATE KEY`)
  }
}
