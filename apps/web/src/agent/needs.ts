import type { Conversation } from '#domain/conversation.ts'
import type { Failure } from '#domain/failure.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Grant } from '#domain/grant.ts'
import type { Message, Stream } from '#domain/message.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import type { Question } from '#domain/question.ts'
import type { ToolAnnotations } from '#domain/server.ts'
import type { Task, TaskStatus } from '#domain/task.ts'
import type { ToolCall, ToolCallStatus } from '#domain/tool-call.ts'
import type { ToolOutcome } from '#domain/tool-outcome.ts'

/** What the agent needs of storage. Every function is one transaction. */
export interface TurnStorage {
  conversation(id: string): Promise<Conversation | undefined>
  gpt(id: string): Promise<Gpt | undefined>
  /** What is shown of a conversation, first to last. */
  shown(conversationId: string): Promise<Message[]>
  callsOf(messageIds: readonly string[]): Promise<ToolCall[]>
  call(id: string): Promise<ToolCall | undefined>
  /** Adds a message at the end of what is shown. */
  append(message: Omit<Message, 'order' | 'branchId' | 'createdAt'>): Promise<Message>
  /** Keeps what has arrived so far of a message that is streaming. */
  grow(stream: Omit<Stream, 'updatedAt'>): Promise<void>
  /** Ends a streaming message: its parts and its calls are stored, and what was kept by `grow` is gone. False where it is no longer streaming. */
  complete(messageId: string, change: Partial<Message>, calls: readonly ToolCall[]): Promise<boolean>
  addCalls(calls: readonly ToolCall[]): Promise<void>
  /** Changes a call only while its status is one of `from`. False where another was faster. */
  changeCall(id: string, from: readonly ToolCallStatus[], change: Partial<ToolCall>): Promise<boolean>
  question(id: string): Promise<Question | undefined>
  questionsOf(toolCallId: string): Promise<Question[]>
  /** Those for which a sign-in at this server is the answer. */
  openSignIns(serverId: string): Promise<Question[]>
  /** Keeps questions, and with them the call, running until now, as `asking`. False where it does not run any more. */
  ask(toolCallId: string, questions: readonly Question[]): Promise<boolean>
  /** Keeps an answer; after the last of a call it is pending, or what `end` says. False where another was faster. */
  settleQuestion(id: string, change: Partial<Question>, end?: Partial<ToolCall>): Promise<boolean>
  changeQuestion(id: string, change: Partial<Question>): Promise<boolean>
  endQuestions(toolCallId: string, state: 'cancelled' | 'ended'): Promise<void>
  grantsFor(serverIds: readonly string[]): Promise<Grant[]>
  addGrant(grant: Grant): Promise<void>
  /** The ids of the servers that the user trusts. */
  trustedServers(): Promise<string[]>
  modelConnection(id: string): Promise<ModelConnection | undefined>
  /**
   * Puts in order what a dead engine left of these conversations: streaming messages are stopped, running calls have an
   * unknown outcome. Whoever calls it holds the lock of the turn.
   */
  heal(conversationIds: readonly string[]): Promise<unknown>
  /** Calls by hand that run or are about to, here, in another tab, or in one that died. */
  unfinishedByHand(): Promise<ToolCall[]>
  /** Puts in order one of those that a dead engine left. Whoever calls it holds its lock. */
  healByHand(id: string): Promise<void>
  task(id: string): Promise<Task | undefined>
  /** False where it is over, or gone. */
  changeTask(id: string, change: Partial<Task>): Promise<boolean>
  /** The end of a task and of its call, together. False where another was faster. */
  endTask(id: string, status: TaskStatus, change: Partial<ToolCall>): Promise<boolean>
  /** Brings what came of the tasks of this conversation into it, each once. False where there was none. */
  deliverTasks(conversationId: string): Promise<boolean>
}

/** A tool as it is offered to a model. */
export interface OfferedTool {
  /** Unique among all tools of the turn, and fit for every provider: 1 to 64 of A-Z a-z 0-9 _ -. */
  modelName: string
  serverId: string
  serverName: string
  serverTrusted: boolean
  endpoint: string
  toolName: string
  title: string
  description: string
  inputSchema: Record<string, unknown>
  annotations: ToolAnnotations
  fingerprint: string
  /** Arguments that also travel as headers. */
  headerArguments: string[]
  /** The screen that it brings along. */
  appUri?: string
}

export type { ToolOutcome }

/** A tool that a GPT has and a model is not offered, and why. */
export type WithheldTool = Pick<OfferedTool, 'modelName' | 'serverId' | 'serverName' | 'toolName'> & { problem: string }

/** What a server wants to know before it goes on; until then the call is `asking`. */
export interface AskedOutcome {
  questions: Question[]
}

/** It goes on at its server, and is not waited for; the call is written down as a `task`. */
export interface TaskOutcome {
  taskId: string
}

/** What the agent needs of the servers. */
export interface ToolSource {
  /** The tools a GPT has now. A server that cannot be reached leaves the rest alone. */
  toolsOf(
    gpt: Gpt,
    signal: AbortSignal,
  ): Promise<{
    tools: OfferedTool[]
    withheld: WithheldTool[]
    missing: { serverName: string; failure: Failure }[]
  }>
  /**
   * Makes exactly this call, arguments byte for byte. Rejects with `Failed`: `bad-arguments`, `tool-gone` (also where the
   * definition is no longer the one that was approved), `server-unreachable`, `sign-in-needed`, `timeout`, `outcome-unknown`, `stopped` …
   */
  call(
    call: Pick<
      ToolCall,
      'id' | 'conversationId' | 'serverId' | 'toolName' | 'title' | 'arguments' | 'fingerprint' | 'endpoint'
    >,
    options: {
      signal: AbortSignal
      onProgress(progress: NonNullable<ToolCall['progress']>): void
      /** It may become a task, looked at so often at most; without it, it is waited for. */
      asTask?: { pollMs: number } | undefined
    },
  ): Promise<ToolOutcome | AskedOutcome | TaskOutcome>
  /** Whether a person can sign in at this server, so that a refused call is worth waiting for. */
  canSignIn?(serverId: string): Promise<boolean>
  /** Nobody goes on with this call, which was asking. */
  leave?(call: Pick<ToolCall, 'id' | 'serverId'>): Promise<void>
}

/** The part of `navigator.locks` that keeps a turn in one tab. */
export interface TurnLocks {
  request<T>(name: string, options: { ifAvailable?: boolean }, run: (lock: object | null) => Promise<T>): Promise<T>
}

/** What the agent needs of the vault. */
export interface KeySource {
  /** The key of a model connection; undefined where it has none. Rejects with `Failed` (`vault-locked`). */
  keyOf(connectionId: string): Promise<string | undefined>
}
