/** What a server said when it refused a request for lack of authorization. */
export interface Challenge {
  status: number
  /** The `WWW-Authenticate` header, where the server lets us see it. */
  wwwAuthenticate: string | undefined
  /** The token the refused request carried. */
  token: string | undefined
}

/** Where the transport gets its tokens; how they come about is none of its business. */
export interface TokenSource {
  /** The token for the next request, or undefined for none. */
  token(): Promise<string | undefined> | string | undefined
  /** Answers a 401 or 403: true when the refused request is worth sending once more. */
  challenge(challenge: Challenge): Promise<boolean>
  /** The headers that carry the token of a request, where `Authorization: Bearer` is not all. */
  sign?(method: string, url: string, token: string): Promise<Record<string, string>>
  /** Sees every answer: servers put nonces there. */
  answered?(response: Response, url: string): Promise<void> | void
}
