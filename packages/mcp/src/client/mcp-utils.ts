import { STATELESS_REVISIONS } from '../wire/revisions.ts'

/** What a console or a plain page may want to know of the library itself. */
export const MCPUtils = {
  /** The newest protocol revision that this library speaks; a client's own is `client.getProtocolVersion()`. */
  getProtocolVersion: (): string => STATELESS_REVISIONS[0] ?? '',
}
