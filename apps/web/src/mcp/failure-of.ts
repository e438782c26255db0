import { isMCPError, type MCPError } from '@switchboard/mcp'
import { Failed, type FailureCode, type ServerError } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import { visibleText } from '#lib/visible-text.ts'
import { asJson, hideSecrets } from './hide-secrets.ts'

/** To whom something happened, and what must not be told. */
export interface Circumstances {
  server: Pick<Server, 'name' | 'transport' | 'url' | 'relay' | 'timeoutSeconds'> &
    Partial<Pick<Server, 'authentication'>>
  secrets: readonly string[]
  /** Where the app came from: other origins have a say in who may ask them. */
  appOrigin: string
  now: number
  /** The tool that was called. */
  tool?: string | undefined
  /** One thing of many was asked for, and no tool: a refusal of it says nothing against the connection. */
  asked?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** Whatever was thrown on the way to a server and back, as a failure with a code and whole sentences. */
export function failureOf(error: unknown, about: Circumstances): Failed {
  if (error instanceof Failed) return error
  const { server, signal, secrets, tool } = about
  if (signal?.aborted && !isMCPError(error))
    return new Failed('stopped', `${tool ? `${tool} of ${server.name}` : `Connecting to ${server.name}`} was stopped.`)
  // The cause stays behind: it may hold what must not be told.
  if (!isMCPError(error)) return new Failed('internal', sentence(`${server.name}: ${quote(String(error), secrets)}`))
  if (tool !== undefined && error.isOutcomeUnknown()) return unknownOutcome(error, about, tool)
  return ownCause(error) ?? known(error, about)
}

/** What ended it on our own side, such as a sign-in that is wanted: said in our own words already. */
function ownCause(error: Error): Failed | undefined {
  let cause: unknown = error
  for (let depth = 0; cause instanceof Error && depth < 6; depth += 1, cause = cause.cause)
    if (cause instanceof Failed) return cause
  return undefined
}

/** With one full stop at its end, whatever was there. */
const sentence = (text: string): string => (/[!?…]$/.test(text) ? text : `${text.replace(/[.\s]+$/, '')}.`)

const quote = (text: string, secrets: readonly string[]): string =>
  visibleText(hideSecrets(text, secrets)).slice(0, 600)

const MAX_SERVER_MESSAGE = 4_000
const MAX_SERVER_DATA = 16_000

function jsonOf(data: unknown): string | undefined {
  try {
    return JSON.stringify(data)
  } catch {
    return '"nested too deeply to show"'
  }
}

/** The server's JSON-RPC error as it may be stored and shown. */
function serverErrorOf({ code, serverMessage, data }: MCPError, secrets: readonly string[]): ServerError {
  const bounded = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text)
  const json = jsonOf(data)
  return {
    ...(code !== undefined && { code }),
    message: bounded(hideSecrets(serverMessage ?? '', secrets), MAX_SERVER_MESSAGE),
    ...(json !== undefined && {
      data: bounded(hideSecrets(json, [...secrets, ...secrets.map(asJson)]), MAX_SERVER_DATA),
    }),
  }
}

function unknownOutcome(error: MCPError, { server, secrets }: Circumstances, tool: string): Failed {
  // An answer came, and was thrown away: that much is known.
  if (error.isTooLarge())
    return new Failed(
      'bad-result',
      `${tool} of ${server.name} ran. Its answer was over 16 MiB and was thrown away: ask it for less.`,
    )
  const why = {
    timeout: 'No answer came in time',
    network: 'The connection broke before its answer was there',
    closed: 'The connection was closed before its answer was there',
  }[error.reason as string]
  return new Failed(
    'outcome-unknown',
    `${why ?? `${quote(error.message.replace(/\. It may have run:.*/s, ''), secrets)}`}. ${tool} of ${server.name} may have run: check before you run it again.`,
  )
}

function known(error: MCPError, about: Circumstances): Failed {
  const { server, secrets, tool, asked, now } = about
  const { statusCode, retryAfterMs } = error
  const words = sentence(`${server.name}: ${quote(error.message, secrets)}`)
  switch (error.reason) {
    case 'network':
      return unreachable(about)
    case 'timeout':
      return new Failed('timeout', `No answer from ${server.name} after ${server.timeoutSeconds} s.`)
    case 'unauthorized':
      return refused(about, statusCode ?? 401)
    case 'http':
      if (statusCode === 429)
        return new Failed('rate-limit', `${server.name} gets more requests than it takes (HTTP 429).`, {
          ...(retryAfterMs !== undefined && { retryAt: now + retryAfterMs }),
        })
      if (statusCode === 403) return refused(about, statusCode)
      if (statusCode === 409 && server.transport === 'stdio')
        return new Failed(
          'protocol',
          `The companion’s file has another command for ${server.name} now. Nothing was sent to it; connect again and look at its tools.`,
        )
      if (statusCode !== undefined && statusCode >= 500)
        return new Failed(
          'server-unreachable',
          `${server.name} answered with an error of its own (HTTP ${statusCode}).`,
        )
      return new Failed('protocol', `${words} Is this the address of an MCP server?`)
    case 'rpc':
      return new Failed(rpcFailureCode(error, tool, asked), words, { serverError: serverErrorOf(error, secrets) })
    case 'session-expired':
      return new Failed('server-unreachable', `${server.name} ended the session and began no new one. Connect again.`)
    case 'closed':
      return new Failed('stopped', `The connection to ${server.name} was closed.`)
    case 'cancelled':
      return new Failed('stopped', `${server.name} cancelled ${tool ?? 'it'}.`)
    case 'expired':
      return new Failed('outcome-unknown', `${words} Check before you run it again.`)
    case 'too-large':
    case 'limit':
      return new Failed(asked ? 'not-given' : 'protocol', words)
    case 'redirect':
    case 'protocol':
      return new Failed('protocol', words)
  }
}

function rpcFailureCode(error: MCPError, tool: string | undefined, asked: boolean | undefined): FailureCode {
  if (asked) return 'not-given'
  if (tool === undefined) return 'protocol'
  // The tool was listed a moment ago: "user not found" says nothing about it.
  const namesTool = error.code === -32601 || error.serverMessage?.includes(tool)
  if (error.isToolNotFound() && namesTool) return 'tool-gone'
  return error.code === -32602 ? 'bad-arguments' : 'tool-failed'
}

function refused({ server }: Circumstances, status: number): Failed {
  if (server.transport === 'stdio')
    return new Failed(
      'companion',
      'The companion was started anew, and this page is not known to it. Open the address that it printed.',
    )
  if (status === 401 && server.authentication?.type === 'none')
    return new Failed(
      'sign-in-needed',
      `${server.name} requires authentication (HTTP 401). Choose how under Authentication.`,
      { wants: 'bearer' },
    )
  return new Failed(
    'sign-in-needed',
    `${server.name} refuses what it was told of you (HTTP ${status}). Check what is entered under Authentication.`,
  )
}

/** A browser does not tell a server that is down from one that forbids it to ask. */
function unreachable({ server, appOrigin }: Circumstances): Failed {
  if (server.transport === 'stdio' || server.relay)
    return new Failed(
      'companion',
      `The companion does not answer, so ${server.name} cannot be reached. Start it: npm start.`,
    )
  const { origin, host } = new URL(server.url)
  const cors =
    origin === appOrigin
      ? ''
      : ` If it runs, it may forbid pages of ${appOrigin} to ask it (CORS): let it allow them, or reach it through the companion.`
  const where = server.name === host ? host : `${server.name} at ${host}`
  return new Failed('server-unreachable', `No answer from ${where}.${cors}`)
}
