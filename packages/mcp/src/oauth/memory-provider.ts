import { StoredProvider, type StoredProviderOptions } from './stored-provider.ts'

/** How people are shown the sign-in page, and where they come back to. */
export interface InteractiveProviderOptions extends StoredProviderOptions {
  redirectUrl: string | URL
  /**
   * Shows a person the sign-in page. What they bring back to `redirectUrl` (its query) ends the flow at once; return
   * nothing when that happens elsewhere, and end it there with `auth`.
   */
  signIn: (url: URL) => Promise<URLSearchParams | void> | URLSearchParams | void
}

/**
 * For programs that show the sign-in page in their own way: a command line, a desktop application, a worker.
 *
 * @example
 * new InMemoryOAuthProvider({ serverUrl, redirectUrl: 'http://localhost:8765/callback', signIn: openAndWait })
 */
export class InMemoryOAuthProvider extends StoredProvider {
  readonly #options: InteractiveProviderOptions
  #answer: URLSearchParams | undefined

  constructor(options: InteractiveProviderOptions) {
    super(options)
    if (!options.redirectUrl) throw new TypeError('redirectUrl is needed: people come back to it')
    if (typeof options.signIn !== 'function') throw new TypeError('signIn is needed: it shows the sign-in page')
    this.#options = options
  }

  override get redirectUrl(): string | URL {
    return this.#options.redirectUrl
  }

  override async redirectToAuthorization(url: URL): Promise<void> {
    this.#answer = (await this.#options.signIn(url)) ?? undefined
  }

  async authorizationResponse(): Promise<URLSearchParams | undefined> {
    const answer = this.#answer
    this.#answer = undefined
    return answer
  }
}
