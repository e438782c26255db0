import type { OAuthClientMetadata } from './provider.ts'
import { StoredProvider, type StoredProviderOptions } from './stored-provider.ts'

/** Which client a program is, where no person signs in. */
export interface MachineOptions extends Omit<StoredProviderOptions, 'clientInformation' | 'clientMetadataUrl'> {
  clientId: string
  /** The authorization server these credentials belong to. Default: the first they are shown to. */
  issuer?: string | undefined
}

/** A provider for programs that act in their own name. */
export class MachineProvider extends StoredProvider {
  constructor({ clientId, issuer, ...options }: MachineOptions, secret?: string, method?: string) {
    if (!clientId) throw new TypeError('clientId is needed')
    super({
      ...options,
      clientInformation: {
        client_id: clientId,
        ...(issuer && { issuer }),
        ...(secret && { client_secret: secret }),
        ...(method && { token_endpoint_auth_method: method }),
      },
    })
  }

  override get clientMetadata(): OAuthClientMetadata {
    return { ...super.clientMetadata, grant_types: ['client_credentials'] }
  }
}

/** The client credentials grant with a secret. */
export class ClientCredentialsProvider extends MachineProvider {
  constructor({
    clientSecret,
    method,
    ...options
  }: MachineOptions & { clientSecret: string; method?: 'client_secret_basic' | 'client_secret_post' }) {
    if (!clientSecret) throw new TypeError('clientSecret is needed')
    super(options, clientSecret, method)
  }
}
