import type { SigningKeyPair } from './key-types.ts'
import type { ProofOfPossession } from './provider.ts'

const MAX_ORIGINS = 16

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
const encodeJson = (value: unknown): string => encode(new TextEncoder().encode(JSON.stringify(value)))

const CURVES: Record<string, [alg: string, hash: string]> = {
  'P-256': ['ES256', 'SHA-256'],
  'P-384': ['ES384', 'SHA-384'],
  'P-521': ['ES512', 'SHA-512'],
}

/**
 * Binds tokens to a key that does not leave this machine (DPoP, RFC 9449). Hand the same pair of keys in as long as the
 * tokens live; without one, the tokens end with the page.
 *
 * @example
 * const provider = new BrowserOAuthProvider({ serverUrl, redirectUrl, storage, dpop: createDPoP() })
 */
export function createDPoP(keyPair?: SigningKeyPair): ProofOfPossession {
  let keys: Promise<{ privateKey: CryptoKey; curve: string; jwk: JsonWebKey }> | undefined
  const nonces = new Map<string, string>()

  const load = async () => {
    // The private half cannot be exported, not even by us.
    const { privateKey, publicKey } =
      keyPair ?? (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']))
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
    if (kty !== 'EC' || !crv || !CURVES[crv]) throw new TypeError('createDPoP takes an ECDSA pair of keys')
    return { privateKey, curve: crv, jwk: { kty, crv, x, y } as JsonWebKey }
  }

  return {
    async buildProof({ htm, htu, accessToken }) {
      const { privateKey, curve, jwk } = await (keys ??= load())
      const [alg, hash] = CURVES[curve]!
      const { origin, pathname } = new URL(htu)
      const claims = {
        jti: crypto.randomUUID(),
        htm,
        htu: origin + pathname,
        iat: Math.floor(Date.now() / 1000),
        nonce: nonces.get(origin),
        ath: accessToken && encode(await digest(accessToken)),
      }
      const text = `${encodeJson({ typ: 'dpop+jwt', alg, jwk })}.${encodeJson(claims)}`
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash }, privateKey, new TextEncoder().encode(text))
      return `${text}.${encode(new Uint8Array(signature))}`
    },
    observeNonce({ headers }, url) {
      const nonce = headers.get('dpop-nonce')
      const { origin } = new URL(url)
      if (!nonce || nonce.length > 1024) return
      nonces.delete(origin)
      nonces.set(origin, nonce)
      for (const oldest of nonces.keys()) if (nonces.size > MAX_ORIGINS) nonces.delete(oldest)
    },
  }
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
