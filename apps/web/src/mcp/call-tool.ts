import type { CallToolResult, MCPClient, Progress, RequestOptions } from '@switchboard/mcp'
import { Failed, type Failure } from '#domain/failure.ts'
import type { Question } from '#domain/question.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { ToolOutcome } from '#domain/tool-outcome.ts'
import type { SchemaChecks } from './check-schema.ts'
import type { Connected, Connections } from './connections.ts'
import { withoutSecrets } from './hide-secrets.ts'
import { isObject } from './judge-schema.ts'
import type { Begun } from './questions/call-and-ask.ts'
import type { QuestionNeeds } from './questions/needs.ts'
import type { RawMessages } from './raw-messages.ts'
import { readArguments } from './read-arguments.ts'
import type { ListedTool } from './read-tools.ts'
import type { TaskWatcher } from './tasks/task-watcher.ts'

export type CallToMake = Pick<ToolCall, 'id' | 'serverId' | 'toolName' | 'arguments' | 'fingerprint'> &
  Partial<Pick<ToolCall, 'conversationId' | 'title'>>

export type { ToolOutcome }

/** What a server wants to know before it goes on; until then the call waits. */
export interface AskedOutcome {
  questions: Question[]
}

export interface CallNeeds {
  connections: Connections
  checks: SchemaChecks
  raw: RawMessages
  /** Where somebody can be asked what servers want to know. */
  questions?: QuestionNeeds | undefined
  /** Who looks at calls that become tasks; loaded with the first. */
  tasks?: (() => Promise<TaskWatcher>) | undefined
  now: () => number
}

type OnProgress = (progress: NonNullable<ToolCall['progress']>) => void

/** A value this long may take its time to check: that is no fault of the schema. */
const LONG_VALUE = 65_536
const MAX_MESSAGE = 500

/** It goes on at its server; whoever watches tasks settles it. */
export interface TaskOutcome {
  taskId: string
}

export interface CallOptions {
  signal: AbortSignal
  onProgress: OnProgress
  /** It may become a task, looked at so often at most; without it, it is waited for. */
  asTask?: { pollMs: number } | undefined
}

/** Makes exactly the call that was approved, or none. Rejects with `Failed`. */
export async function callTool(
  call: CallToMake,
  { signal, onProgress, asTask }: CallOptions,
  needs: CallNeeds,
): Promise<ToolOutcome | AskedOutcome | TaskOutcome> {
  const { toolName, serverId } = call
  const { questions, tasks } = needs
  // Before anything is asked of anybody: what cannot be sent needs no server.
  const args = readArguments(call.arguments, toolName)
  const before = questions ? await questions.questionsOf(call.id) : []
  const later = before.length > 0 && questions ? await resumable(questions, call, before) : undefined
  const made = { name: toolName, arguments: args }

  const deed = async (connected: Connected): Promise<Begun | AskedOutcome> => {
    const { client, server } = connected
    const { definition, found } = await approvedTool(connected, call)
    await checkArguments(definition.inputSchema, call, connected, needs)
    signal.throwIfAborted()
    needs.raw.begin(call.id, args)
    const { readOnly, idempotent } = found.annotations
    const options: RequestOptions = {
      signal,
      onProgress: (progress) => onProgress(readProgress(progress)),
      // A server's own hint is a claim: it counts only where the user trusts the server.
      repeatable: server.trusted && (readOnly === true || idempotent === true),
    }
    const begin = async (own: RequestOptions): Promise<Begun> => {
      if (!asTask || !tasks || !knowsTasks(client)) return { result: await client.callTool({ ...made, options: own }) }
      const watcher = await tasks()
      let adopted: ReturnType<TaskWatcher['adopt']> | undefined
      const handle = await client.startTask({
        ...made,
        pollIntervalMs: asTask.pollMs,
        // It is heard of before anything else happens to it: the moment to write it down.
        onUpdate: (task) =>
          void (task.id !== undefined && (adopted ??= watcher.adopt(task, call, connected, asTask.pollMs))),
        options: own,
      })
      return adopted ? await adopted : { result: await handle.result({ signal }) }
    }
    return questions
      ? (await import('./questions/call-and-ask.ts')).callAndAsk(
          { ...connected, questions, now: needs.now },
          { conversationId: '', ...call },
          made,
          options,
          later,
          begin,
        )
      : begin(options)
  }

  const session = later?.era === 'sessions' ? later.session : undefined
  return new Promise((resolve, reject) => {
    const whole = async (connected: Connected): Promise<void> => {
      const answered = await deed(connected)
      if ('questions' in answered) return resolve(answered)
      if ('result' in answered) return resolve(await outcomeOf(answered.result, call, connected, needs))
      resolve({ taskId: call.id })
      // The connection is held for as long as the task is looked at through it.
      await answered.followed
    }
    needs.connections.use(serverId, whole, { signal, tool: toolName, session }).catch(reject)
  })
}

/** Whether a call may become a task here; most servers know none, and nothing of it is loaded for them. */
const knowsTasks = ({ capabilities: { tasks, extensions } }: MCPClient): boolean =>
  (tasks ?? extensions?.['io.modelcontextprotocol/tasks']) !== undefined

/** What a call that was asked something goes on with. */
async function resumable(needs: QuestionNeeds, call: CallToMake, before: readonly Question[]) {
  const suspended = await (await import('./questions/suspended.ts')).openSuspended(needs, call)
  // Refused for want of a sign-in, it had not begun.
  if (suspended || before.every(({ kind }) => kind === 'sign-in')) return suspended
  throw new Failed(
    'outcome-unknown',
    `What ${call.toolName} needs to go on with your answer is gone. It may have run: check before you run it again.`,
  )
}

/** The tool as it was approved, and as it still is. */
async function approvedTool({ tools, client, server }: Connected, call: CallToMake): Promise<ListedTool> {
  const { toolName } = call
  const changed = `${toolName} of ${server.name} has changed since you were asked. Nothing was sent; look at it and decide anew.`
  // One that does not announce changes is asked again.
  const listed = (await tools(client.capabilities.tools?.listChanged !== true)).find(
    ({ found }) => found.name === toolName,
  )
  if (!listed) throw new Failed('tool-gone', `${server.name} does not have ${toolName} any more.`)
  // The address is a part of the fingerprint: the same definition elsewhere is refused too.
  if (listed.found.fingerprint !== call.fingerprint) throw new Failed('tool-gone', changed)
  const { problem } = listed.found
  if (problem !== undefined) throw new Failed('tool-gone', `${toolName} of ${server.name} cannot be used: ${problem}`)
  return listed
}

async function checkArguments(
  schema: unknown,
  call: CallToMake,
  { mark }: Connected,
  { checks }: CallNeeds,
): Promise<void> {
  const verdict = await checks.check(schema, call.arguments)
  const { toolName } = call
  if (verdict.outcome === 'unfit')
    throw new Failed('bad-arguments', `The arguments do not fit what ${toolName} takes. ${verdict.faults.join(' ')}`)
  if (verdict.outcome === 'fits') return
  if (verdict.tooSlow) mark(call.fingerprint, `Its input schema ${verdict.problem}.`)
  throw new Failed(
    'bad-arguments',
    `The arguments could not be checked: the input schema of ${toolName} ${verdict.problem}.`,
  )
}

/** A result as it is kept, without what we told its server in confidence; what it promises is checked as long as the tool is the one that was called. */
export async function outcomeOf(
  answered: CallToolResult,
  call: Pick<ToolCall, 'toolName' | 'fingerprint'>,
  connected: Connected,
  needs: Pick<CallNeeds, 'checks'>,
): Promise<ToolOutcome> {
  const result = withoutSecrets(answered, connected.secrets())
  const { structuredContent } = result
  const listed = structuredContent === undefined ? [] : await connected.tools().catch(() => [])
  const tool = listed.find(({ found }) => found.name === call.toolName && found.fingerprint === call.fingerprint)
  const schema = tool?.definition.outputSchema
  const isError = result.isError === true
  const failure =
    structuredContent === undefined || isError
      ? undefined
      : await judgeResult(structuredContent, schema, call, connected, needs)
  return {
    content: (result.content as unknown[]).filter(isObject),
    ...(structuredContent !== undefined && { structuredContent }),
    isError,
    size: new TextEncoder().encode(JSON.stringify(result)).length,
    ...(failure && { failure }),
  }
}

/** Whether the structured content is what the tool promised. The call has run: whatever is wrong, its content stays. */
async function judgeResult(
  value: unknown,
  schema: unknown,
  { toolName, fingerprint }: Pick<ToolCall, 'toolName' | 'fingerprint'>,
  { mark }: Connected,
  { checks }: Pick<CallNeeds, 'checks'>,
): Promise<Failure | undefined> {
  if (schema === undefined) return undefined
  const text = JSON.stringify(value)
  const verdict = await checks.check(schema, text)
  if (verdict.outcome === 'fits') return undefined
  if (verdict.outcome === 'unfit')
    return {
      code: 'bad-result',
      message: `${toolName} ran, and its structured result is not what it promises. ${verdict.faults.join(' ')}`,
    }
  if (verdict.tooSlow && text.length < LONG_VALUE) mark(fingerprint, `Its output schema ${verdict.problem}.`)
  return {
    code: 'bad-result',
    message: `${toolName} ran, and its structured result could not be checked: its output schema ${verdict.problem}.`,
  }
}

/** What a server says of its progress, where it is what it should be. */
function readProgress({ progress, total, message }: Progress): NonNullable<ToolCall['progress']> {
  return {
    progress: Number.isFinite(progress) ? progress : 0,
    ...(typeof total === 'number' && Number.isFinite(total) && { total }),
    ...(typeof message === 'string' && { message: message.slice(0, MAX_MESSAGE) }),
  }
}
