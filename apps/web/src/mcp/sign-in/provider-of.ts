import { ClientCredentialsProvider, PrivateKeyJwtProvider, type StoredProvider } from '@switchboard/mcp/oauth'
import { Failed } from '#domain/failure.ts'
import type { OpenSecret, SignInNeeds, SignInServer } from './needs.ts'
import { PersonProvider } from './person-provider.ts'
import { vaultStorage } from './vault-storage.ts'

/** Who signs in to this server, and as which client. */
export async function providerOf(
  server: SignInServer,
  open: OpenSecret,
  needs: SignInNeeds,
): Promise<StoredProvider | PersonProvider> {
  const { authentication, name } = server
  if (authentication.type !== 'oauth2') return new PersonProvider(server, needs, {})
  const { flow, algorithm } = authentication
  const clientId = authentication.clientId?.trim()
  const scope = authentication.scopes?.trim()
  const common = { serverUrl: server.url, storage: vaultStorage(server.id, needs), ...(scope && { scope }) }
  // Without a client id there is nothing that they would be the secret of; of the two, the one that was chosen is used.
  const privateKey = clientId && algorithm ? (await open('privateKey'))?.trim() : undefined
  const clientSecret = clientId && !algorithm ? (await open('clientSecret'))?.trim() : undefined
  const signer =
    clientId && privateKey
      ? new PrivateKeyJwtProvider({
          ...common,
          clientId,
          ...readKey(privateKey, name),
          ...(algorithm && { algorithm }),
        })
      : undefined
  if (flow === 'program') {
    if (signer) return signer
    if (clientId && clientSecret) return new ClientCredentialsProvider({ ...common, clientId, clientSecret })
    const missing = !clientId ? 'client id' : algorithm ? 'private key' : 'client secret'
    throw new Failed('sign-in-needed', `${name} has no ${missing} yet. Enter it under Authentication.`)
  }
  const clientMetadataUrl = authentication.clientMetadataUrl?.trim()
  return new PersonProvider(
    server,
    needs,
    {
      ...(scope && { scope }),
      ...(clientMetadataUrl && { clientMetadataUrl }),
      ...(clientId && {
        clientInformation: { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) },
      }),
    },
    signer,
  )
}

/** A key as it was pasted: PEM, or a JWK, which may say how it is used and what it is called. */
function readKey(
  text: string,
  server: string,
): { privateKey: string | JsonWebKey; algorithm?: 'RS256'; keyId?: string } {
  if (!text.startsWith('{')) return { privateKey: text, algorithm: 'RS256' }
  try {
    const key = JSON.parse(text) as JsonWebKey & { kid?: unknown }
    return {
      privateKey: key,
      ...(key.alg === undefined && { algorithm: 'RS256' }),
      ...(typeof key.kid === 'string' && { keyId: key.kid }),
    }
  } catch {
    // Without the cause: it quotes the key.
    throw new Failed('bad-input', `The private key for ${server} is neither PEM nor a JWK. Paste it again, as a whole.`)
  }
}
