import { Failed } from '#domain/failure.ts'

export const ITERATIONS = 600_000
const MOST_ITERATIONS = 10_000_000
const PRF_BYTES = 32

const WRAPPING = { name: 'AES-GCM', length: 256 } as const
const derive = (algorithm: Pbkdf2Params | HkdfParams, base: CryptoKey) =>
  crypto.subtle.deriveKey(algorithm, base, WRAPPING, false, ['wrapKey', 'unwrapKey'])

/** The key that a passphrase stands for. */
export async function keyFromPassphrase(
  passphrase: string,
  { salt, iterations }: { salt: Uint8Array; iterations: number },
): Promise<CryptoKey> {
  // Whoever can write to the profile could otherwise have the next unlock try the passphrase with one round, and guess it.
  if (iterations < ITERATIONS || iterations > MOST_ITERATIONS)
    throw new Failed(
      'storage',
      `The vault asks for ${iterations} rounds of key derivation, and at least ${ITERATIONS} are expected: it was changed outside the app and stays closed. Your passphrase was not used.`,
    )
  const typed = new TextEncoder().encode(passphrase.normalize('NFKC'))
  const base = await crypto.subtle.importKey('raw', typed, 'PBKDF2', false, ['deriveKey'])
  return derive({ name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(salt), iterations }, base)
}

/** The key that a passkey stands for, from what its PRF extension answered. */
export async function keyFromPasskey(prf: Uint8Array, { salt }: { salt: Uint8Array }): Promise<CryptoKey> {
  if (prf.byteLength !== PRF_BYTES)
    throw new Failed(
      'bad-input',
      `The passkey answered with ${prf.byteLength} bytes, ${PRF_BYTES} are needed. Use another passkey.`,
    )
  const base = await crypto.subtle.importKey('raw', new Uint8Array(prf), 'HKDF', false, ['deriveKey'])
  const info = new TextEncoder().encode('switchboard-vault-passkey')
  return derive({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(salt), info }, base)
}

/** A key that the browser keeps and does not hand out. A copied profile contains it all the same. */
export const newDeviceKey = () => crypto.subtle.generateKey(WRAPPING, false, ['wrapKey', 'unwrapKey'])
