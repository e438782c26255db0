/** `CryptoKey`, by a name that TypeScript has with the DOM library and with the types of Node alike. */
export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** `CryptoKeyPair`, likewise. */
export interface SigningKeyPair {
  privateKey: SigningKey
  publicKey: SigningKey
}

/** A key as JSON (RFC 7517): the fields of `JsonWebKey`. */
export interface Jwk {
  alg?: string
  crv?: string
  d?: string
  dp?: string
  dq?: string
  e?: string
  ext?: boolean
  k?: string
  key_ops?: string[]
  kty?: string
  n?: string
  p?: string
  q?: string
  qi?: string
  use?: string
  x?: string
  y?: string
}
