import { MCPError } from '../errors.ts'
import type { ResolvedOptions } from './http-options.ts'

/** Lets go of a body that nobody reads. */
export const discard = (response: Response): void => void response.body?.cancel().catch(() => {})

/** The one place that attaches a token, and that looks at redirects before they carry it elsewhere. */
export class HttpFetch {
  /** The token of the last request. */
  token: string | undefined
  readonly #options: ResolvedOptions

  constructor(options: ResolvedOptions) {
    this.#options = options
  }

  async send(
    method: string,
    headers: Record<string, string>,
    signal: AbortSignal,
    body?: string,
    address?: string,
    hops = 0,
  ): Promise<Response> {
    const { url, fetch = globalThis.fetch, tokenSource, redirect } = this.#options
    address ??= url.href
    if (tokenSource) {
      this.token = await tokenSource.token()
      if (this.token) headers = { ...headers, authorization: `Bearer ${this.token}` }
    }
    const init: RequestInit = { method, headers, signal, redirect: 'manual' }
    if (body) init.body = body
    const response = await fetch(address, init)
    const { status } = response
    if (response.type !== 'opaqueredirect' && (status < 301 || status > 308 || status === 304)) return response
    discard(response)
    const location = response.headers.get('location') ?? ''
    const target = location && URL.canParse(location, address) ? new URL(location, address) : undefined
    if (redirect === 'follow' && hops < 3 && status > 306 && target?.origin === url.origin) {
      return this.send(method, headers, signal, body, target.href, hops + 1)
    }
    const to = target ? `${target.protocol}//${target.host}${target.pathname}` : 'another address'
    throw new MCPError(`redirects to ${to}: if you trust it, use that url`, 'redirect', { statusCode: status })
  }

  /** Lets the token source answer a refusal: true when the request is worth sending once more. */
  async satisfies({ status, headers }: Response): Promise<boolean> {
    const { tokenSource } = this.#options
    if (!tokenSource || (status !== 401 && status !== 403)) return false
    const wwwAuthenticate = headers.get('www-authenticate') ?? undefined
    return tokenSource.challenge({ status, wwwAuthenticate, token: this.token })
  }
}
