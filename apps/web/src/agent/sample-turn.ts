import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Conversation } from '#domain/conversation.ts'
import { Failed } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import { isTaskOver } from '#domain/is-task-over.ts'
import type { Grant } from '#domain/grant.ts'
import type { Message, Part, Stream } from '#domain/message.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import type { Question } from '#domain/question.ts'
import type { Task } from '#domain/task.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import type { ReadyModel } from './models.ts'
import type { OfferedTool, ToolOutcome, ToolSource, TurnLocks, TurnStorage, WithheldTool } from './needs.ts'
import { createTurns, type TurnNeeds } from './run-turn.ts'

// For tests: what surrounds a turn, in memory.

export const CONVERSATION = 'conversation'

export interface MemoryStorage extends TurnStorage {
  messages: Map<string, Message>
  streams: Map<string, Stream>
  calls: Map<string, ToolCall>
  questions: Map<string, Question>
  tasks: Map<string, Task>
  grants: Grant[]
  trusted: string[]
  connections: Map<string, ModelConnection>
  gptRow: Gpt
  say(text: string): Promise<Message>
  /** Hears of every write before it is done; what it throws is what the write throws. */
  onWrite: (name: string) => void
  texts(): string[]
}

export const sampleGpt = (change: Partial<Gpt> = {}): Gpt => ({
  id: 'gpt',
  name: 'Helper',
  description: '',
  icon: '🙂',
  instructions: 'Be kind.',
  model: { connectionId: 'connection', modelId: 'model' },
  settings: { maxToolCalls: 25 },
  starters: [],
  tools: {
    serverIds: ['server'],
    disabledTools: [],
    approval: 'auto',
    trustedTools: [],
    pollSeconds: 5,
    asyncTasks: false,
  },
  createdAt: 1,
  updatedAt: 1,
  ...change,
})

const CONVERSATION_ROW: Conversation = {
  id: CONVERSATION,
  gptId: 'gpt',
  title: 'Test',
  titledBy: 'app',
  branches: [{ id: 'branch', parentId: null, from: 0 }],
  branchId: 'branch',
  createdAt: 1,
  updatedAt: 1,
}

function wordsOf(part: Part): string {
  if (part.type === 'task') return `<end of ${part.toolCallId}>`
  return part.type === 'tool' ? `<${part.modelName}>` : (part.text ?? '')
}

const isUnfinishedByHand = ({ conversationId, status }: ToolCall) =>
  conversationId === '' && (status === 'pending' || status === 'running')

export function memoryStorage(gpt: Gpt = sampleGpt()): MemoryStorage {
  const messages = new Map<string, Message>()
  const streams = new Map<string, Stream>()
  const calls = new Map<string, ToolCall>()
  const questions = new Map<string, Question>()
  const tasks = new Map<string, Task>()
  const add = (message: Parameters<TurnStorage['append']>[0]): Message => {
    const row = { ...structuredClone(message), branchId: 'branch', order: messages.size, createdAt: messages.size }
    messages.set(row.id, row)
    return structuredClone(row)
  }
  const openOf = (toolCallId: string) =>
    [...questions.values()].filter((one) => one.toolCallId === toolCallId && one.state === 'open')
  const shown = () => [...messages.values()].sort((a, b) => a.order - b.order)
  const write = async <T>(name: string, deed: () => T): Promise<T> => {
    await Promise.resolve()
    storage.onWrite(name)
    return deed()
  }
  const read = async <T>(value: () => T): Promise<T> => {
    await Promise.resolve()
    return structuredClone(value())
  }

  const storage: MemoryStorage = {
    messages,
    streams,
    calls,
    questions,
    tasks,
    grants: [],
    trusted: [],
    trustedServers: () => read(() => storage.trusted),
    connections: new Map(),
    gptRow: gpt,
    onWrite: () => {},
    texts: () =>
      shown().map(({ role, parts, status }) => {
        const text = parts.map(wordsOf).join('')
        return `${role} ${status}: ${text}`
      }),
    say: (text) =>
      storage.append({
        id: crypto.randomUUID(),
        conversationId: CONVERSATION,
        role: 'user',
        parts: [{ type: 'text', text }],
        status: 'done',
      }),

    conversation: (id) => read(() => (id === CONVERSATION ? CONVERSATION_ROW : undefined)),
    gpt: () => read(() => storage.gptRow),
    shown: () => read(shown),
    callsOf: (ids) => read(() => [...calls.values()].filter(({ messageId }) => ids.includes(messageId))),
    call: (id) => read(() => calls.get(id)),
    append: (message) => write('append', () => add(message)),
    grow: (stream) =>
      write('grow', () => {
        if (messages.get(stream.messageId)?.status !== 'streaming') return
        streams.set(stream.messageId, { ...structuredClone(stream), updatedAt: 0 })
      }),
    complete: (id, change, added) =>
      write('complete', () => {
        const message = messages.get(id)
        if (message?.status !== 'streaming') return false
        messages.set(id, { ...message, status: 'done', ...structuredClone(change) })
        for (const call of added) calls.set(call.id, structuredClone(call))
        streams.delete(id)
        return true
      }),
    addCalls: (added) =>
      write('addCalls', () => {
        for (const call of added) {
          if (calls.has(call.id)) throw new Failed('storage', 'It is there already.')
          calls.set(call.id, structuredClone(call))
        }
      }),
    changeCall: (id, from, change) =>
      write(`changeCall ${change.status ?? ''}`.trim(), () => {
        const call = calls.get(id)
        if (!call || !from.includes(call.status)) return false
        calls.set(id, { ...call, ...structuredClone(change) })
        return true
      }),
    question: (id) => read(() => questions.get(id)),
    questionsOf: (id) => read(() => [...questions.values()].filter(({ toolCallId }) => toolCallId === id)),
    openSignIns: (id) =>
      read(() =>
        [...questions.values()].filter((one) => one.serverId === id && one.kind === 'sign-in' && one.state === 'open'),
      ),
    ask: (id, asked) =>
      write('ask', () => {
        const call = calls.get(id)
        if (call?.status !== 'running') return false
        for (const question of asked) questions.set(question.id, structuredClone(question))
        calls.set(id, { ...call, status: 'asking' })
        return true
      }),
    settleQuestion: (id, change, end) =>
      write('settleQuestion', () => {
        const question = questions.get(id)
        if (question?.state !== 'open') return false
        questions.set(id, { ...question, ...structuredClone(change) })
        const call = calls.get(question.toolCallId)
        if (call?.status === 'asking' && (end || openOf(call.id).length === 0))
          calls.set(call.id, { ...call, ...(end ?? { status: 'pending' }) })
        return true
      }),
    changeQuestion: (id, change) =>
      write('changeQuestion', () => {
        const question = questions.get(id)
        if (question?.state !== 'open') return false
        questions.set(id, { ...question, ...structuredClone(change) })
        return true
      }),
    endQuestions: (id, state) =>
      write('endQuestions', () => {
        for (const question of openOf(id)) questions.set(question.id, { ...question, state })
      }),
    grantsFor: (ids) => read(() => storage.grants.filter(({ serverId }) => ids.includes(serverId))),
    addGrant: (grant) => write('addGrant', () => void storage.grants.push(grant)),
    modelConnection: (id) => read(() => storage.connections.get(id)),
    unfinishedByHand: () => read(() => [...calls.values()].filter(isUnfinishedByHand)),
    healByHand: (id) => write('healByHand', () => void calls.delete(id)),
    task: (id) => read(() => tasks.get(id)),
    changeTask: (id, change) =>
      write('changeTask', () => {
        const task = tasks.get(id)
        if (!task || isTaskOver(task)) return false
        tasks.set(id, { ...task, ...structuredClone(change) })
        return true
      }),
    endTask: (id, status, change) =>
      write('endTask', () => {
        const task = tasks.get(id)
        if (!task || isTaskOver(task)) return false
        tasks.set(id, { ...task, status, completedAt: tasks.size })
        const call = calls.get(task.toolCallId)
        if (call?.status === 'task') calls.set(call.id, { ...call, ...structuredClone(change), taskStatus: status })
        return true
      }),
    deliverTasks: (conversationId) =>
      write('deliverTasks', () => {
        const ended = [...tasks.values()].filter((task) => isTaskOver(task) && task.deliveredAt === undefined)
        for (const task of ended) {
          const parts = [{ type: 'task' as const, toolCallId: task.toolCallId }]
          add({ id: `${task.id}:result`, conversationId, role: 'user', parts, status: 'done' })
          tasks.set(task.id, { ...task, deliveredAt: 1 })
        }
        return ended.length > 0
      }),
    heal: () =>
      write('heal', () => {
        for (const message of messages.values())
          if (message.status === 'streaming') {
            messages.set(message.id, {
              ...message,
              status: 'stopped',
              parts: streams.get(message.id)?.parts ?? [],
            })
            streams.delete(message.id)
          }
        for (const call of calls.values())
          if (call.status === 'running') calls.set(call.id, { ...call, status: 'unknown' })
      }),
  }
  return storage
}

/** Locks as a browser has them, for the tabs of one test. */
export function memoryLocks(): TurnLocks {
  const queues = new Map<string, Promise<unknown>>()
  return {
    async request(name, { ifAvailable = false }, run) {
      const before = queues.get(name)
      if (before && ifAvailable) return run(null)
      const held = (before ?? Promise.resolve()).then(() => run({ name }))
      const released = held
        .catch(() => {})
        .finally(() => {
          if (queues.get(name) === released) queues.delete(name)
        })
      queues.set(name, released)
      return held
    },
  }
}

export const sampleTool = (toolName: string, change: Partial<OfferedTool> = {}): OfferedTool => ({
  modelName: `server__${toolName}`,
  serverId: 'server',
  serverName: 'Server',
  serverTrusted: false,
  endpoint: 'https://server.example/mcp',
  toolName,
  title: toolName,
  description: `Does ${toolName}`,
  inputSchema: { type: 'object', properties: {} },
  annotations: {},
  fingerprint: `print-${toolName}`,
  headerArguments: [],
  ...change,
})

export const textOutcome = (text: string, change: Partial<ToolOutcome> = {}): ToolOutcome => ({
  content: [{ type: 'text', text }],
  isError: false,
  size: text.length,
  ...change,
})

export interface SampleTools extends ToolSource {
  offered: OfferedTool[]
  withheld: WithheldTool[]
  /** What was run, in order. */
  executed: { id: string; toolName: string; arguments: string }[]
}

export function sampleTools(
  offered: OfferedTool[],
  call: ToolSource['call'] = async ({ toolName }) => textOutcome(`result of ${toolName}`),
): SampleTools {
  const source: SampleTools = {
    offered,
    withheld: [],
    executed: [],
    toolsOf: async () => ({ tools: source.offered, withheld: source.withheld, missing: [] }),
    call(row, options) {
      source.executed.push({ id: row.id, toolName: row.toolName, arguments: row.arguments })
      return call(row, options)
    },
  }
  return source
}

/** One answer of a model that follows a script. */
export interface Line {
  text?: string
  calls?: { name: string; input: string }[]
  finish?: Extract<LanguageModelV4StreamPart, { type: 'finish' }>['finishReason']['unified']
}

const NO_USAGE: Extract<LanguageModelV4StreamPart, { type: 'finish' }>['usage'] = {
  inputTokens: { total: 3, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: undefined, reasoning: undefined },
}

export function partsOfLine({ text = '', calls = [], finish }: Line): LanguageModelV4StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    ...(text ? [{ type: 'text-delta' as const, id: '0', delta: text }] : []),
    ...calls.map(({ name, input }, at) => ({
      type: 'tool-call' as const,
      toolCallId: `p${at}`,
      toolName: name,
      input,
    })),
    {
      type: 'finish',
      finishReason: { unified: finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'), raw: 'x' },
      usage: NO_USAGE,
    },
  ]
}

export function streamOf<T>(values: Iterable<T>): ReadableStream<T> {
  const rest = values[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const next = rest.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

export interface SampleModel {
  /** What the model was asked, call by call. */
  asked: LanguageModelV4CallOptions[]
  modelOf: () => Promise<ReadyModel>
}

/** A model that says its lines, and "done" after the last. */
export function sampleModel(lines: Line[]): SampleModel {
  const asked: LanguageModelV4CallOptions[] = []
  const ready: ReadyModel = {
    model: {
      doStream: async (options) => {
        const parts = partsOfLine(lines[asked.length] ?? { text: 'done' })
        asked.push(options)
        return { stream: streamOf(parts) }
      },
    },
    connectionId: 'connection',
    modelId: 'model',
    name: 'model',
    accepts: { pictures: false, audio: false },
    mediaInResults: true,
    explain: (error) => (error instanceof Failed ? error : new Failed('internal', String(error))),
  }
  return { asked, modelOf: async () => ready }
}

/** A tab with its turns; whatever is not given is a quiet default. */
export function sampleTurns(given: Pick<TurnNeeds, 'storage' | 'tools' | 'models'> & Partial<TurnNeeds>) {
  const states: (string | undefined)[] = []
  const failures: string[] = []
  const turns = createTurns({
    locks: memoryLocks(),
    now: () => 1_000_000,
    newId: () => crypto.randomUUID(),
    growEveryMs: 0,
    silenceMs: 60_000,
    retryPauseMs: 0,
    progressEveryMs: 0,
    onState: (_, state) => void states.push(state),
    onFailure: (_, failure) => void failures.push(failure.message),
    ...given,
  })
  return { ...turns, states, failures }
}
