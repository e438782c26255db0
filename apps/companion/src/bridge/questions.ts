import { createHash, randomUUID } from 'node:crypto'
import type { JsonObject, JsonRpcRequest, JsonRpcResponse, RequestId } from '@switchboard/mcp'
import type { Call } from './call.ts'
import { errorAnswer, isObject } from './json-rpc.ts'
import type { Wire } from './wire.ts'

const ASKING = new Set(['tools/call', 'prompts/get', 'resources/read'])
const ASKED = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'])
/** How long a person may take to answer. */
const PATIENCE_MS = 600_000
const MAX_QUESTIONS = 20

/** One request of a client to the program, over all its rounds. */
export interface Round {
  /** Who waits for it now; nobody while its client answers a question. */
  call: Call | undefined
  settle(answer: JsonRpcResponse, status: number): void
}

interface Running extends Round {
  readonly digest: string
  readonly abort: AbortController
  /** What the program asked and was not told yet. */
  readonly questions: Map<string, JsonRpcRequest>
  outcome?: { answer: JsonRpcResponse; status: number }
  patience?: NodeJS.Timeout
}

/** Turns what a program of the session era asks into rounds of the era without sessions. */
export interface Questions {
  begin(call: Call, request: JsonRpcRequest, abort: AbortController): Round
  /** Goes on with a request whose client has answered; false when it is a new one. */
  resume(call: Call, request: JsonRpcRequest): boolean
  ask(question: JsonRpcRequest): void
  forgetAll(): void
}

export function createQuestions(wire: Wire): Questions {
  const running = new Set<Running>()
  const parked = new Map<string, Running>()
  let count = 0

  const end = (round: Running): void => {
    running.delete(round)
    clearTimeout(round.patience)
  }
  const refuse = (id: RequestId, message: string): void => wire.answer(id, { error: { code: -32603, message } })
  const giveUp = (round: Running, why: string): void => {
    for (const { id } of round.questions.values()) refuse(id, why)
    end(round)
    round.abort.abort()
  }
  const deliver = (round: Running): void => {
    const { call, outcome } = round
    if (!call || !outcome) return
    end(round)
    call.settle({ ...outcome.answer, id: call.id } as JsonRpcResponse, outcome.status)
  }
  /** Hands the questions to the client, and waits for it to come back. */
  const park = (round: Running): void => {
    const { call, questions } = round
    if (!call) return
    const state = randomUUID()
    const inputRequests = Object.fromEntries(
      [...questions].map(([key, { method, params }]) => [key, { method, ...(params && { params }) }]),
    )
    round.call = undefined
    parked.set(state, round)
    round.patience = setTimeout(() => {
      parked.delete(state)
      giveUp(round, 'Nobody answered in time')
    }, PATIENCE_MS)
    round.patience.unref()
    call.settle({
      jsonrpc: '2.0',
      id: call.id,
      result: { resultType: 'input_required', inputRequests, requestState: state },
    })
  }
  const attach = (round: Running, call: Call): void => {
    round.call = call
    call.onabandoned = () => {
      if (round.call !== call) return
      giveUp(round, 'The client has left')
      call.settle(errorAnswer(call.id, -32603, 'It was cancelled'))
    }
  }
  /** The program does not say which of its calls it asks for: found where only one can be meant. */
  const asker = (): Running | undefined => {
    const open = [...running].filter((round) => round.questions.size === 0)
    if (open.length === 1) return open[0]
    return running.size === 1 ? [...running][0] : undefined
  }

  return {
    begin(call, request, abort) {
      const round: Running = {
        call,
        digest: digestOf(request),
        abort,
        questions: new Map(),
        settle(answer, status) {
          round.outcome = { answer, status }
          deliver(round)
        },
      }
      attach(round, call)
      if (ASKING.has(request.method)) running.add(round)
      return round
    },
    resume(call, request) {
      const { requestState, inputResponses } = request.params ?? {}
      if (typeof requestState !== 'string') return false
      const round = parked.get(requestState)
      if (!round || round.digest !== digestOf(request)) {
        call.settle(
          errorAnswer(
            call.id,
            -32602,
            'Nothing waits for these answers any more. It may have run: check before running it again',
          ),
        )
        return true
      }
      parked.delete(requestState)
      clearTimeout(round.patience)
      attach(round, call)
      const answers = isObject(inputResponses) ? inputResponses : {}
      for (const [key, { id }] of round.questions) {
        const answer = Object.hasOwn(answers, key) ? answers[key] : undefined
        if (!isObject(answer)) continue
        round.questions.delete(key)
        wire.answer(id, { result: answer })
      }
      if (round.outcome) deliver(round)
      else if (round.questions.size > 0) park(round)
      return true
    },
    ask(question) {
      const { id, method } = question
      if (method === 'ping') return wire.answer(id, { result: {} })
      if (!ASKED.has(method)) return wire.answer(id, { error: { code: -32601, message: 'Method not found' } })
      const round = asker()
      if (!round || round.questions.size >= MAX_QUESTIONS)
        return refuse(
          id,
          running.size > 1
            ? 'Several calls are running: it cannot be told which one asks'
            : 'No call is running that could ask',
        )
      round.questions.set(`question-${++count}`, question)
      park(round)
    },
    forgetAll() {
      for (const round of running) end(round)
      parked.clear()
    },
  }
}

/** What a client must send again unchanged. */
function digestOf({ method, params = {} }: JsonRpcRequest): string {
  const { name, uri, arguments: given } = params as JsonObject
  return createHash('sha256')
    .update(JSON.stringify([method, name, uri, given]))
    .digest('base64url')
}
