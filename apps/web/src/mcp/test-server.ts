import type { HttpTransport, MCPClient } from '@switchboard/mcp'
import { Failed, type Failure, type FailureCode } from '#domain/failure.ts'
import { secretId } from '#domain/sealed.ts'
import type { FoundServer, Server, ServerSecretField, ServerSecrets, SignInOffer } from '#domain/server.ts'
import { checkAddress } from './check-address.ts'
import type { Companion } from './companion.ts'
import { revisionOf, routeOf } from './companion-route.ts'
import { credentialsOf, mergeHeaders, readExtraHeaders } from './credentials.ts'
import { endpointAt, mayKeepSecrets } from './endpoint-of.ts'
import { failureOf } from './failure-of.ts'
import type { McpNeeds } from './needs.ts'
import { openClient } from './open-client.ts'
import { createPace } from './pace-requests.ts'
import { hearQuestions } from './questions/hear-questions.ts'
import { iconSource, readFound } from './read-found.ts'
import { MAX_TOOLS, readTools } from './read-tools.ts'
import { type Trial, trySignIn } from './try-sign-in.ts'

const STEPS = ['address', 'reach', 'protocol', 'authorization', 'lists'] as const
type Step = (typeof STEPS)[number]
type TestedServer = Pick<
  Server,
  'name' | 'transport' | 'url' | 'authentication' | 'timeoutSeconds' | 'retries' | 'relay'
> &
  Partial<Pick<Server, 'companionName' | 'headerNames' | 'requestsPerMinute' | 'sampling'>>

export interface TestInput {
  server: TestedServer
  secrets: ServerSecrets
  /** Of a server that is saved already: what is not entered anew is taken from there. */
  serverId?: string
  /** The id that a new server will be saved with, so that a sign-in before that is not lost. */
  draftId?: string
}

export interface TestReport {
  steps: { step: Step; outcome: 'ok' | 'failed' | 'skipped'; note: string }[]
  found?: FoundServer
  sessionId?: string
  /** How it is spoken to: every request by itself, in a session, or as the first servers wanted it. */
  era?: 'stateless' | 'sessions' | 'http+sse'
  failure?: Failure
  /** Where to sign in, where that is what it takes. */
  signIn?: SignInOffer
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
export async function testServer(
  input: TestInput,
  needs: McpNeeds,
  companion: Companion,
  /** The user went on to something else. */
  signal?: AbortSignal,
): Promise<TestReport> {
  const { server } = input
  const notes = new Map<Step, string>()
  const abort = new AbortController()
  const stop = (): void => abort.abort(new Failed('stopped', 'The test was stopped.'))
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  let secrets: readonly string[] = Object.values(input.secrets)
  let client: MCPClient | undefined
  let trial: Trial | undefined
  let isSignedIn = false
  const authorized = (): string => (isSignedIn ? 'The sign-in was taken.' : AUTHORIZED[server.authentication.type])
  try {
    notes.set(
      'address',
      server.transport === 'stdio' ? `"${server.companionName}" in the companion's file` : checkAddress(server.url),
    )
    const identity = await identityOf(input, needs)
    const credentials = await credentialsOf(...identity)
    secrets = credentials.secrets
    trial = await trySignIn(input, identity[1], needs, (token) => {
      isSignedIn = true
      secrets = [...secrets, token]
    })
    const route = await routeOf(server, credentials.headers, companion, needs.companion.origin)
    abort.signal.throwIfAborted()
    const { requestsPerMinute: limit } = server
    const opened = openClient(
      route,
      server,
      needs.fetch,
      abort.signal,
      limit === undefined ? undefined : createPace(limit, needs.minuteMs),
      trial.following,
      // Servers show other tools to who can be asked: a test says what it can as the connection will. Nothing is called by it, so
      // whatever is asked all the same belongs to no call, and nobody is asked.
      needs.questions && hearQuestions(() => client, server.sampling),
    )
    client = opened.client
    const began = needs.now()
    await client.connect()
    notes.set('reach', `Answered after ${needs.now() - began} ms.`)
    const sessionId = client.getSessionId()
    const revision = revisionOf(route, client)
    notes.set(
      'protocol',
      `${revision === '' ? 'It speaks MCP' : `MCP ${revision}`}${sessionId === undefined ? '' : ', with a session'}.`,
    )
    abort.signal.throwIfAborted()
    const { tools } = client.capabilities.tools ? await stoppable(client.listTools(), abort.signal) : { tools: [] }
    notes.set('authorization', authorized())
    const listed = await readTools(tools, endpointAt(server, route.program))
    const found = await stoppable(readFound(client, listed, iconSource(server, needs.fetch), revision), abort.signal)
    notes.set('lists', inWords(found, tools.length))
    // How the companion is spoken to says nothing of the program behind it.
    const era = route.revision ? undefined : eraOf(opened.transport)
    return { steps: stepsOf(notes), found, ...(era && { era }), ...(sessionId !== undefined && { sessionId }) }
  } catch (error) {
    const about = { server, secrets, appOrigin: needs.companion.origin, now: needs.now() }
    const told = failureOf(error, about).failure
    const wanted = told.code === 'sign-in-needed' ? await offerOf(trial, told) : { failure: told }
    const { failure } = wanted
    // It spoke with us, and what failed then was not for want of a sign-in.
    if (notes.has('protocol') && failure.code !== 'sign-in-needed') notes.set('authorization', authorized())
    return { steps: stepsOf(notes, failure), ...wanted }
  } finally {
    signal?.removeEventListener('abort', stop)
    abort.abort()
    void client?.close().catch(() => {})
  }
}

/** Where to sign in, or why that cannot be offered here. */
async function offerOf(
  trial: Trial | undefined,
  failure: Failure,
): Promise<Pick<TestReport, 'signIn'> & { failure: Failure }> {
  try {
    const signIn = await trial?.offer()
    return { failure, ...(signIn && { signIn }) }
  } catch (error) {
    return { failure: error instanceof Failed ? error.failure : failure }
  }
}

const eraOf = ({ legacy, initialize }: HttpTransport): NonNullable<TestReport['era']> =>
  legacy ? 'http+sse' : initialize ? 'sessions' : 'stateless'

/** What nobody waits for any more goes on without us, and ends with the connection. */
function stoppable<T>(deed: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    deed.then(resolve, reject)
  })
}

const AUTHORIZED: { [Type in Server['authentication']['type']]: string } = {
  auto: 'No sign-in was asked for.',
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
  const entered = secrets.headers === undefined ? undefined : readExtraHeaders(secrets.headers, server.name)
  const before = isSameOrigin ? saved.headerNames : []
  const headerNames = server.headerNames ?? (entered ? Object.keys(entered) : before)
  const openOrMerge = async (field: ServerSecretField): Promise<string | undefined> => {
    if (field !== 'headers' || !entered || headerNames.every((name) => name in entered)) return open(field)
    // Some were entered now, and others before.
    const kept = isSameOrigin ? await needs.secrets.open(secretId('mcpServers', saved.id, 'headers')) : undefined
    return mergeHeaders(headerNames, kept, secrets.headers, server.name)
  }
  return [{ name: server.name, authentication: server.authentication, headerNames }, openOrMerge]
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
