/** The revision without sessions that is spoken with clients and programs. */
export const STATELESS = '2026-07-28'
/** The revision that a program which knows only sessions is asked for. */
export const SESSIONS = '2025-11-25'

/** Response header with the revision that the companion and the program agreed on; HTTP clients agree on one of their own. */
export const REVISION_HEADER = 'x-switchboard-revision'

/** The header for the revision in an `initialize` result. None where the program named none that fits into a header. */
export const revisionHeader = (revision: unknown): Record<string, string> =>
  typeof revision === 'string' && /^[\w.-]{1,40}$/.test(revision) ? { [REVISION_HEADER]: revision } : {}

const PREFIX = 'io.modelcontextprotocol/'
export const VERSION = `${PREFIX}protocolVersion`
export const CAPABILITIES = `${PREFIX}clientCapabilities`
export const CLIENT = `${PREFIX}clientInfo`
export const LOG_LEVEL = `${PREFIX}logLevel`
export const SERVER = `${PREFIX}serverInfo`
export const SUBSCRIPTION = `${PREFIX}subscriptionId`
export const TASKS = `${PREFIX}tasks`
export const RELATED_TASK = `${PREFIX}related-task`

/** What a request says about itself, and a program of the other era would not understand. */
export const isEnvelope = (key: string): boolean => key.startsWith(PREFIX)
