import type { MCPClient } from '@switchboard/mcp'
import { Failed, type Failure, type FailureCode } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import type { FoundServer, Server, ServerSecretField, ServerSecrets } from '#domain/server.ts'
import { checkAddress } from './check-address.ts'
import type { Companion } from './companion.ts'
import { routeOf } from './companion-route.ts'
import { credentialsOf, readExtraHeaders } from './credentials.ts'
import { endpointOf, mayKeepSecrets } from './endpoint-of.ts'
import { failureOf } from './failure-of.ts'
import type { McpNeeds } from './needs.ts'
import { openClient } from './open-client.ts'
import { readFound } from './read-found.ts'
import { MAX_TOOLS, readTools } from './read-tools.ts'

const STEPS = ['address', 'reach', 'protocol', 'authorization', 'lists'] as const
type Step = (typeof STEPS)[number]
type TestedServer = Pick<
  Server,
  'name' | 'transport' | 'url' | 'authentication' | 'timeoutSeconds' | 'retries' | 'relay'
> &
  Partial<Pick<Server, 'companionName'>>

export interface TestInput {
  server: TestedServer
  secrets: ServerSecrets
  /** Of a server that is saved already: what is not entered anew is taken from there. */
  serverId?: string
}

export interface TestReport {
  steps: { step: Step; outcome: 'ok' | 'failed' | 'skipped'; note: string }[]
  found?: FoundServer
  sessionId?: string
  failure?: Failure
}

/** Which step a failure belongs to, where it is not the one that was being taken. */
const STEP_OF: { [Code in FailureCode]?: Step } = {
  'bad-input': 'address',
  'server-unreachable': 'reach',
  timeout: 'reach',
  companion: 'reach',
  protocol: 'protocol',
  'sign-in-needed': 'authorization',
  'vault-locked': 'authorization',
}

/** Tries a server as it would be used, and says how far one gets. Saves nothing, and leaves nothing open. */
export async function testServer(input: TestInput, needs: McpNeeds, companion: Companion): Promise<TestReport> {
  const { server } = input
  const notes = new Map<Step, string>()
  const abort = new AbortController()
  let secrets: readonly string[] = Object.values(input.secrets)
  let client: MCPClient | undefined
  try {
    notes.set(
      'address',
      server.transport === 'stdio' ? `"${server.companionName}" in the companion's file` : checkAddress(server.url),
    )
    const credentials = await credentialsOf(...(await identityOf(input, needs)))
    secrets = credentials.secrets
    const route = await routeOf(server, credentials.headers, companion, needs.companion.origin)
    const opened = openClient(route, server, needs.fetch, abort.signal)
    client = opened.client
    const began = needs.now()
    await client.connect()
    notes.set('reach', `Answered after ${needs.now() - began} ms.`)
    const sessionId = client.getSessionId()
    notes.set('protocol', `MCP ${client.getProtocolVersion()}${sessionId === undefined ? '' : ', with a session'}.`)
    const { tools } = client.capabilities.tools ? await client.listTools() : { tools: [] }
    notes.set('authorization', AUTHORIZED[server.authentication.type])
    const found = await readFound(client, await readTools(tools, endpointOf(server)))
    notes.set('lists', inWords(found, tools.length))
    return { steps: stepsOf(notes), found, ...(sessionId !== undefined && { sessionId }) }
  } catch (error) {
    const about = { server, secrets, appOrigin: needs.companion.origin, now: needs.now() }
    const { failure } = failureOf(error, about)
    // It spoke with us, and what failed then was not for want of a sign-in.
    if (notes.has('protocol') && failure.code !== 'sign-in-needed')
      notes.set('authorization', AUTHORIZED[server.authentication.type])
    return { steps: stepsOf(notes, failure), failure }
  } finally {
    abort.abort()
    void client?.close().catch(() => {})
  }
}

const AUTHORIZED: { [Type in Server['authentication']['type']]: string } = {
  none: 'No sign-in was asked for.',
  bearer: 'The token was taken.',
  'api-key': 'The key was taken.',
  basic: 'Name and password were taken.',
  oauth2: 'No sign-in was asked for.',
}

/** Who is to ask, and where the secrets are: entered now, or saved before and for this origin. */
async function identityOf(
  { server, secrets, serverId }: TestInput,
  needs: McpNeeds,
): Promise<Parameters<typeof credentialsOf>> {
  const saved = serverId === undefined ? undefined : await needs.servers.server(serverId)
  const isSameOrigin = saved !== undefined && mayKeepSecrets(saved, server)
  const open = async (field: ServerSecretField): Promise<string | undefined> => {
    const entered = secrets[field]
    if (entered !== undefined || !saved) return entered
    if (isSameOrigin) return needs.secrets.open(secretId('mcpServers', saved.id, field))
    throw new Failed(
      'sign-in-needed',
      `What is saved for ${saved.name} belongs to another address. Enter it again for this one.`,
    )
  }
  const headerNames =
    secrets.headers === undefined
      ? isSameOrigin
        ? saved.headerNames
        : []
      : Object.keys(readExtraHeaders(secrets.headers, server.name))
  return [{ name: server.name, authentication: server.authentication, headerNames }, open]
}

function stepsOf(notes: ReadonlyMap<Step, string>, failure?: Failure): TestReport['steps'] {
  const taken = STEPS.find((step) => !notes.has(step))
  const told = failure && STEP_OF[failure.code]
  const failed = failure && (told !== undefined && !notes.has(told) ? told : taken)
  // Whoever refuses us, or answers in another language, was reached.
  const isReached = failed === 'protocol' || failed === 'authorization'
  return STEPS.map((step) => {
    if (failure && step === failed) return { step, outcome: 'failed', note: failure.message }
    if (notes.has(step) || (step === 'reach' && isReached)) return { step, outcome: 'ok', note: notes.get(step) ?? '' }
    return { step, outcome: 'skipped', note: '' }
  })
}

function inWords({ tools, resources, prompts }: FoundServer, listed: number): string {
  const bad = tools.filter(({ problem }) => problem !== undefined).length
  return [
    `${count(tools.length, 'tool')}${bad > 0 ? `, ${bad} of them not usable` : ''}`,
    ...(listed > MAX_TOOLS ? [`${listed - MAX_TOOLS} more were left out`] : []),
    count(resources, 'resource'),
    count(prompts, 'prompt'),
  ].join(' · ')
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
