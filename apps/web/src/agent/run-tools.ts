import { callDigest } from '#domain/call-digest.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Message } from '#domain/message.ts'
import type { Approval, ToolCall } from '#domain/tool-call.ts'
import { CANCELLED, type ExecutionNeeds, executeCall } from './execute-call.ts'
import { type Judgement, judgeCalls } from './judge-calls.ts'
import type { ToolSource, TurnStorage } from './needs.ts'

export interface ToolRunNeeds extends ExecutionNeeds {
  storage: TurnStorage
  tools: ToolSource
}

export interface ToolRuns {
  /** Decides what is pending in the last message; what needs nobody's word, or has it, is run. False where nothing was to decide. */
  run(input: { gpt: Gpt; messages: Message[]; calls: ToolCall[] }, signal: AbortSignal): Promise<boolean>
  /** Runs these calls, which the user has approved. */
  runApproved: (calls: readonly ToolCall[], signal: AbortSignal) => Promise<void>
  /** Cancels a call that waits or runs here. False where it has ended, or runs elsewhere. */
  cancel(call: ToolCall): Promise<boolean>
}

const MUTED = 'The user has denied several calls of this server in this turn. Do not ask for it again now.'

export function createToolRuns(needs: ToolRunNeeds): ToolRuns {
  const { storage, tools, now } = needs
  const running = new Map<string, AbortController>()

  /** What is to be written of a judgement; undefined where the call already has its approval, or waits for it. */
  async function changeOf(judged: Judgement, gpt: Gpt): Promise<Partial<ToolCall> | undefined> {
    const at = now()
    switch (judged.judgement) {
      case 'approved':
      case 'waits':
        return undefined
      case 'muted':
        return { ...CANCELLED, completedAt: at, approval: { state: 'denied', by: 'policy', reason: MUTED, at } }
      case 'over-limit': {
        const message = `It was not made: this GPT may make ${gpt.settings.maxToolCalls} tool calls in one turn.`
        return { status: 'error', isError: true, completedAt: at, error: { code: 'call-limit', message } }
      }
      case 'judged':
        return { approval: await approvalOf(judged, at) }
    }
  }

  async function approvalOf(
    { call, verdict, foreign }: Extract<Judgement, { judgement: 'judged' }>,
    at: number,
  ): Promise<Approval> {
    if (verdict.verdict === 'ask') {
      const { why } = verdict
      if (foreign.length === 0) return { state: 'requested', why, at }
      const names = [...new Set(foreign.map(({ serverName }) => serverName))]
      return { state: 'requested', why, foreign: names, foreignIds: foreign.map(({ serverId }) => serverId), at }
    }
    const { by, scope } = verdict
    return { state: 'approved', by, digest: await callDigest(call), at, ...(scope ? { scope } : {}) }
  }

  /**
   * It is cancelled when its server says so; whoever looks at it asks for that, in whichever tab. A call may have become a task
   * since somebody looked at it: without another look the wish would be lost.
   */
  async function cancelTask(id: string): Promise<boolean> {
    const { status, taskId } = (await storage.call(id)) ?? {}
    return status === 'task' && taskId !== undefined && storage.changeTask(taskId, { cancelRequestedAt: now() })
  }

  async function execute(id: string, turn: AbortSignal): Promise<void> {
    const controller = new AbortController()
    running.set(id, controller)
    try {
      await executeCall(needs, id, AbortSignal.any([turn, controller.signal]))
    } finally {
      running.delete(id)
    }
  }

  async function runApproved(calls: readonly ToolCall[], signal: AbortSignal): Promise<void> {
    const ends = await Promise.allSettled(calls.map(({ id }) => execute(id, signal)))
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed) throw failed.reason
  }

  return {
    runApproved,

    async run({ gpt, messages, calls }, signal) {
      const offered = await tools.toolsOf(gpt, signal)
      const grants = await storage.grantsFor([...new Set(calls.map(({ serverId }) => serverId))])
      const trustedServers = new Set(await storage.trustedServers())
      const judged = judgeCalls({ gpt, messages, calls, grants, tools: offered.tools, trustedServers })
      for (const one of judged) {
        const change = await changeOf(one, gpt)
        if (change) await storage.changeCall(one.call.id, ['pending'], change)
      }
      if (judged.some(isQuestion)) return true
      const approved = judged.filter(({ judgement }) => judgement === 'approved' || judgement === 'judged')
      await runApproved(
        approved.map(({ call }) => call),
        signal,
      )
      return judged.length > 0
    },

    async cancel(call) {
      if (call.status === 'task') return cancelTask(call.id)
      const controller = running.get(call.id)
      if (call.status === 'running' && !controller) return cancelTask(call.id)
      const change = { ...CANCELLED, completedAt: now() }
      if (!(await storage.changeCall(call.id, ['pending', 'running', 'asking'], change))) return cancelTask(call.id)
      // After the word is stored: a result that comes now finds that the call has ended.
      controller?.abort()
      running.get(call.id)?.abort()
      await storage.endQuestions(call.id, 'cancelled')
      if (call.startedAt !== undefined) await tools.leave?.(call)
      return true
    },
  }
}

const isQuestion = (judged: Judgement): boolean =>
  judged.judgement === 'waits' || (judged.judgement === 'judged' && judged.verdict.verdict === 'ask')
