import { Failed, type Failure, failureOf } from '#domain/failure.ts'
import type { Message } from '#domain/message.ts'
import { bringsTask, nextStep } from '#domain/next-step.ts'
import type { TaskEnd } from '#domain/task.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { type ApprovalAnswer, answerApprovals } from './answer-approvals.ts'
import type { QuestionAnswer } from './answer-question.ts'
import { callModel, type ModelCallNeeds } from './call-model.ts'
import { type CallsByHand, createCallsByHand } from './calls-by-hand.ts'
import type { TurnLocks } from './needs.ts'
import { withOwnTools } from './own-tools.ts'
import { repeatCall } from './repeat-call.ts'
import { createToolRuns, type ToolRunNeeds } from './run-tools.ts'
import { settleTask } from './settle-task.ts'

export interface TurnNeeds extends ModelCallNeeds, ToolRunNeeds {
  locks: TurnLocks
  /** Hears where a turn runs: here, in another tab, or no longer. */
  onState(conversationId: string, state: 'running' | 'elsewhere' | undefined): void
  /** Hears of what could not be written into the conversation itself. */
  onFailure(conversationId: string, failure: Failure): void
}

export interface Turns {
  /**
   * Takes the conversation as far as it goes without the user. Resolves when it waits or is done; never rejects.
   * `goOn` continues what was stopped, what failed, and what ended in an unknown outcome. Calls by hand are in no conversation:
   * under the empty id those of them that wait are run.
   */
  run(conversationId: string, options?: { goOn?: boolean }): Promise<void>
  /** Ends what the model says and what its tools do; questions that are open are cancelled. */
  stop(conversationId: string): Promise<void>
  cancelCall(toolCallId: string): Promise<void>
  answer(conversationId: string, answers: readonly ApprovalAnswer[]): Promise<void>
  /** Makes a call once more, as it was approved. The new one has its id and `:again`. */
  runAgain(toolCallId: string): Promise<void>
  /** Keeps what the user says to a question of a server; its call goes on where that was the last it waited for. */
  answerQuestion(answer: QuestionAnswer): Promise<void>
  /** Somebody signed in at this server: the calls that it had refused for want of that are made now, once. */
  resumeSignedIn(serverId: string): Promise<void>
  /** Writes down how a task ended; its conversation hears of it, and goes on. */
  settleTask(id: string, end: TaskEnd): Promise<void>
  byHand: CallsByHand
}

interface Turn {
  controller: AbortController
  goOn: boolean
  /** Somebody has stored something since the last look. */
  isStale: boolean
  isElsewhere: boolean
  /** It has looked for the last time: what is stored from now on is for the next. */
  hasLooked: boolean
  done: Promise<void>
}

/** What nobody works at: it waits for its turn, or for an answer. */
const WAITS: ReadonlySet<ToolCall['status']> = new Set(['pending', 'asking'])
const ELSEWHERE = 'This conversation is busy in another tab. Do it there, or wait until it is done.'

export function createTurns(given: TurnNeeds): Turns {
  const needs: TurnNeeds = { ...given, tools: withOwnTools(given.tools, given.storage) }
  const { storage, locks, now } = needs
  const turns = new Map<string, Turn>()
  const toolRuns = createToolRuns(needs)
  const lockOf = (conversationId: string) => `turn:${conversationId}`
  const byHand = createCallsByHand({
    storage,
    locks,
    runApproved: toolRuns.runApproved,
    onRunning: (isRunning) => needs.onState('', isRunning ? 'running' : undefined),
    onFailure: (error) => needs.onFailure('', failureOf(error)),
  })

  function run(conversationId: string, { goOn = false } = {}): Promise<void> {
    if (conversationId === '') return byHand.goOn()
    const current = turns.get(conversationId)
    if (current && !current.controller.signal.aborted && !current.hasLooked) {
      current.isStale = true
      current.goOn ||= goOn
      return current.done
    }
    const turn: Turn = {
      controller: new AbortController(),
      goOn,
      isStale: true,
      isElsewhere: false,
      hasLooked: false,
      done: Promise.resolve(),
    }
    turns.set(conversationId, turn)
    // At once: who is told that a message was taken must not think that nothing is under way.
    needs.onState(conversationId, 'running')
    turn.done = (current?.done ?? Promise.resolve())
      .then(() => holdLock(conversationId, turn))
      .catch((error: unknown) => {
        const failure = failureOf(error)
        // One that was deleted meanwhile, perhaps in another tab, has nobody left to tell.
        if (failure.code !== 'stopped' && failure.code !== 'not-found') needs.onFailure(conversationId, failure)
      })
      .finally(() => {
        if (turns.get(conversationId) !== turn) return
        turns.delete(conversationId)
        needs.onState(conversationId, undefined)
      })
    return turn.done
  }

  async function holdLock(conversationId: string, turn: Turn): Promise<void> {
    const isOurs = await locks.request(lockOf(conversationId), { ifAvailable: true }, async (lock) => {
      if (lock) await takeSteps(conversationId, turn)
      return lock !== null
    })
    if (isOurs) return
    turn.isElsewhere = true
    needs.onState(conversationId, 'elsewhere')
    // What was stored here may come too late for the other tab: as soon as it is done, we look ourselves.
    await locks.request(lockOf(conversationId), {}, async () => {
      turn.isElsewhere = false
      turn.goOn = false
      needs.onState(conversationId, 'running')
      await takeSteps(conversationId, turn)
    })
  }

  async function takeSteps(conversationId: string, turn: Turn): Promise<void> {
    const { signal } = turn.controller
    if (signal.aborted) return
    try {
      // We hold the lock: whatever runs here by its record is what a dead engine left.
      await storage.heal([conversationId])
      while (turn.isStale && !signal.aborted) {
        turn.isStale = false
        while (!signal.aborted && (await takeStep(conversationId, turn)));
      }
    } finally {
      turn.hasLooked = true
      // Whichever step the stop has broken off: what stays pending would run when the app is opened the next time.
      if (signal.aborted) await cancelOpen(conversationId)
    }
  }

  /** One step. False when there is no other. */
  async function takeStep(conversationId: string, turn: Turn): Promise<boolean> {
    const { signal } = turn.controller
    const conversation = await storage.conversation(conversationId)
    if (!conversation || conversation.deletedAt !== undefined) return false
    const gpt = await storage.gpt(conversation.gptId)
    if (!gpt) return false
    const messages = await storage.shown(conversationId)
    const calls = await storage.callsOf(messages.map(({ id }) => id))
    // Made once more because the user said so, or begun before, and asked something that has its answer now.
    const again = calls.filter(
      ({ status, repeats, startedAt, approval }) =>
        status === 'pending' && (repeats !== undefined || (startedAt !== undefined && approval?.state === 'approved')),
    )
    if (again.length > 0) {
      await toolRuns.runApproved(again, signal)
      return true
    }
    const last = messages.at(-1)
    // Who goes on without an answer has given one: a call that was left behind would never run, and wait for ever.
    const leftBehind = calls.filter(({ status, messageId }) => WAITS.has(status) && messageId !== last?.id)
    if (leftBehind.length > 0) {
      for (const call of leftBehind) await toolRuns.cancel(call)
      return true
    }
    const lastCalls = heardTogether(messages).flatMap((message) => callsIn(message, calls))
    const step = nextStep(last, lastCalls, turn.goOn)
    // Not between a call and its answer, and not while somebody is asked: then it waits until that is over.
    const isBetween = step !== 'run-tools' && (step !== 'wait' || (last !== undefined && bringsTask(last)))
    if (isBetween && (await storage.deliverTasks(conversationId))) return true
    turn.goOn = false
    switch (step) {
      case 'run-tools':
        return toolRuns.run({ gpt, messages, calls }, signal)
      case 'call-model':
        if (lastCalls.some(({ error }) => error?.code === 'call-limit')) {
          await endAtLimit(conversationId, gpt.settings.maxToolCalls)
          return false
        }
        await callModel(needs, { conversationId, gpt, messages, calls }, signal)
        return true
      case 'wait':
      case 'done':
        return false
    }
  }

  async function endAtLimit(conversationId: string, limit: number): Promise<void> {
    const message = `This turn was stopped after ${limit} tool calls, which is the limit of this GPT. Continue, or raise the limit in its settings.`
    const failure: Failure = { code: 'call-limit', message }
    const ended = { role: 'assistant', status: 'failed', failure, completedAt: now() } as const
    await storage.append({ id: needs.newId(), conversationId, parts: [], ...ended })
  }

  async function cancelOpen(conversationId: string): Promise<void> {
    const messages = await storage.shown(conversationId)
    for (const call of await storage.callsOf(messages.map(({ id }) => id)))
      if (WAITS.has(call.status)) await toolRuns.cancel(call)
  }

  async function callOrRefuse(toolCallId: string): Promise<ToolCall> {
    const call = await storage.call(toolCallId)
    if (!call) throw new Failed('not-found', 'This call is not there any more.')
    return call
  }

  return {
    run,
    byHand,

    async stop(conversationId) {
      const turn = turns.get(conversationId)
      if (turn?.isElsewhere) throw new Failed('busy-elsewhere', ELSEWHERE)
      if (!turn) {
        await locks.request(lockOf(conversationId), { ifAvailable: true }, async (lock) => {
          if (!lock) throw new Failed('busy-elsewhere', ELSEWHERE)
          await cancelOpen(conversationId)
        })
        return
      }
      turn.controller.abort()
      await turn.done
    },

    async cancelCall(toolCallId) {
      const call = await callOrRefuse(toolCallId)
      if (await toolRuns.cancel(call)) void run(call.conversationId)
      else if ((await callOrRefuse(toolCallId)).status === 'running') throw new Failed('busy-elsewhere', ELSEWHERE)
    },

    async answer(conversationId, answers) {
      await answerApprovals(needs, conversationId, answers)
      void run(conversationId)
    },

    async answerQuestion(answer) {
      const { answerQuestion } = await import('./answer-question.ts')
      const { conversationId } = await answerQuestion(needs, answer)
      void run(conversationId)
    },

    async resumeSignedIn(serverId) {
      const { answerQuestion } = await import('./answer-question.ts')
      for (const { id } of await storage.openSignIns(serverId)) {
        // One that was answered meanwhile, perhaps in another tab, keeps none of the others waiting.
        await answerQuestion(needs, { questionId: id, action: 'accept' }).then(
          ({ conversationId }) => void run(conversationId),
          () => {},
        )
      }
    },

    async settleTask(id, end) {
      const conversationId = await settleTask(storage, id, end)
      if (conversationId) void run(conversationId)
    },

    async runAgain(toolCallId) {
      const call = await callOrRefuse(toolCallId)
      await repeatCall(needs, call)
      void run(call.conversationId)
    },
  }
}

/**
 * The last message; where it brings the end of a task, those before it too that do: the model hears of them together, and of one
 * with an unknown outcome it must not hear because another has ended well.
 */
function heardTogether(messages: readonly Message[]): Message[] {
  const first = messages.findLastIndex((message) => !bringsTask(message))
  return messages.slice(Math.min(first + 1, messages.length - 1))
}

/** The calls that a message made, or that it brings the end of. */
function callsIn({ id, parts }: Message, calls: readonly ToolCall[]): ToolCall[] {
  const ended = new Set(parts.flatMap((part) => (part.type === 'task' ? [part.toolCallId] : [])))
  return calls.filter((call) => call.messageId === id || ended.has(call.id) || ended.has(call.repeats ?? ''))
}
