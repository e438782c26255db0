import { Failed } from '#domain/failure.ts'

type Bytes = Uint8Array<ArrayBuffer>
const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))

/** Passkeys exist in a secure page under a name, not under a bare IP address. */
export const canHavePasskey = (): boolean =>
  'PublicKeyCredential' in globalThis && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname)

const prfOf = (credential: Credential | null): Bytes | undefined => {
  if (!(credential instanceof PublicKeyCredential)) return undefined
  const first = credential.getClientExtensionResults().prf?.results?.first
  return first && new Uint8Array(first as ArrayBuffer)
}

const unless = (error: unknown): never => {
  throw error instanceof DOMException
    ? new Failed(
        'bad-input',
        'The passkey was not given: the browser or you ended the question. Try again, or use a passphrase.',
      )
    : error
}

/** Makes a passkey that yields a secret of its own for this vault. */
export async function createPasskey(): Promise<{ credentialId: Bytes; salt: Bytes; prf: Bytes }> {
  const salt = random(32)
  const credential = await navigator.credentials
    .create({
      publicKey: {
        rp: { name: 'Switchboard' },
        user: { id: random(16), name: 'vault', displayName: 'Switchboard vault' },
        challenge: random(32),
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
        extensions: { prf: { eval: { first: salt } } },
      },
    })
    .catch(unless)
  if (!(credential instanceof PublicKeyCredential)) return unless(new DOMException())
  const credentialId = new Uint8Array(credential.rawId)
  // Some authenticators tell the secret only when the passkey is used.
  const prf = prfOf(credential) ?? (await askPasskey({ credentialId, salt }))
  return { credentialId, salt, prf }
}

/** Asks for the passkey of the vault, and returns the secret it yields. */
export async function askPasskey({
  credentialId,
  salt,
}: {
  credentialId: Uint8Array
  salt: Uint8Array
}): Promise<Bytes> {
  const credential = await navigator.credentials
    .get({
      publicKey: {
        challenge: random(32),
        allowCredentials: [{ type: 'public-key', id: new Uint8Array(credentialId) }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: new Uint8Array(salt) } } },
      },
    })
    .catch(unless)
  const prf = prfOf(credential)
  if (!prf)
    throw new Failed(
      'bad-input',
      'This passkey yields no secret for encryption (PRF). Use a passphrase, or another passkey.',
    )
  return prf
}
