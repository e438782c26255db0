import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LlmCall {
  name: string
  input?: unknown
  /** Instead of `input`: the text as it is streamed, also where it is no JSON. */
  inputText?: string
}

/** What the model does next: it thinks, speaks, calls tools, or the service refuses. */
export interface LlmTurn {
  reasoning?: string
  text?: string
  calls?: LlmCall[]
  /** Where it is not what the rest says: the model was cut short, or would not go on. */
  finish?: 'length' | 'content-filter'
  usage?: { input: number; output: number }
  refusal?: { status: number; message: string; type?: string; code?: string; headers?: Record<string, string> }
  /** Once this many events of the stream are sent, the rest waits. */
  hold?: { afterEvents: number; until: Promise<unknown> }
  /**
   * After so many bytes of the stream the service hangs up, or ends it as if that were all. What was sent may be lost with the
   * connection, and a browser asks again then by itself: who wants it to arrive hangs up by hand, with `hold` before the cut.
   */
  cut?: { afterBytes: number; how: 'hang-up' | 'end' | 'hold' }
}

export interface LlmOptions {
  /** Whoever does not send this key is refused. */
  key?: string
  models?: string[]
  /** False: as a service that forbids the pages of a browser. */
  cors?: boolean
}

type Json = Record<string, any>
export type LlmFormat = 'chat' | 'responses' | 'messages'

export interface LlmRequest {
  format: LlmFormat
  body: Json
  headers: IncomingMessage['headers']
  /** How many turns the model has had in this conversation. */
  step: number
  /** What the model is told to be, in words. */
  system: string
  /** The tools that are offered. */
  tools: string[]
  /** What tools have answered so far, as it stands in the request. */
  results: { output: unknown; isError?: boolean }[]
  /** Resolves when the answer is sent, or to `left` when the caller went away before its end. */
  ended: Promise<'answered' | 'left'>
  /** Breaks the connection off. */
  hangUp(): void
}

export interface LlmEndpoint {
  /** Base URL of all three: `${url}/chat/completions`, `${url}/responses`, `${url}/messages`, `${url}/models`. */
  url: string
  requests: LlmRequest[]
  /** Requests for the list of models. */
  listings: { path: string; headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

/**
 * A model that follows a script and speaks as OpenAI (chat completions, responses) and Anthropic (messages) do, whole or as a
 * stream of events. A list is followed turn by turn, and once it has ended the model says "done".
 */
export async function startLlmEndpoint(
  script: LlmTurn[] | ((request: LlmRequest) => LlmTurn),
  { key, models = ['practice'], cors = true }: LlmOptions = {},
): Promise<LlmEndpoint> {
  const requests: LlmRequest[] = []
  const listings: LlmEndpoint['listings'] = []
  const next = typeof script === 'function' ? script : ({ step }: LlmRequest) => script[step] ?? { text: 'done' }
  const server = createServer(async (request, response) => {
    if (cors) {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
      response.setHeader('access-control-expose-headers', 'retry-after')
    }
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const given = request.headers['x-api-key'] ?? request.headers.authorization?.replace(/^Bearer /, '')
    if (key !== undefined && given !== key) {
      // As OpenAI does: with the key in its words, which is why nobody may repeat them.
      const error = { type: 'invalid_request_error', code: 'invalid_api_key', message: `Incorrect API key: ${given}` }
      return answer(401, { type: 'error', error })
    }
    if (path === '/v1/models') {
      listings.push({ path: request.url ?? '', headers: request.headers })
      const data = models.map((id) => ({ id, object: 'model', type: 'model', display_name: id }))
      return answer(200, { object: 'list', data, has_more: false })
    }
    const format = FORMATS[path]
    if (!format) return answer(404, { error: { message: `There is no ${path}` } })

    const read = READERS[format]
    const body = JSON.parse(await textOf(request)) as Json
    const ended = new Promise<'answered' | 'left'>((resolve) =>
      response.once('close', () => resolve(response.writableFinished ? 'answered' : 'left')),
    )
    const received = { format, body, headers: request.headers, ended, hangUp: () => response.destroy(), ...read(body) }
    requests.push(received)
    const turn = next(received)
    if (turn.refusal) {
      const { status, message, type = 'refused', code, headers = {} } = turn.refusal
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      return answer(status, { type: 'error', error: { type, message, ...(code !== undefined && { code }) } })
    }
    const { whole, events } = WRITERS[format](asSaid(turn, `${requests.length}`, String(body['model'])))
    if (body['stream'] !== true) return answer(200, whole)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await send(response, streamOf(format, events), turn)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    listings,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const FORMATS: Record<string, LlmFormat> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
}

function streamOf(format: LlmFormat, events: Json[]): string[] {
  const named = (event: Json) => (format === 'chat' ? '' : `event: ${event['type']}\n`)
  const lines = events.map((event) => `${named(event)}data: ${JSON.stringify(event)}\n\n`)
  return format === 'chat' ? [...lines, 'data: [DONE]\n\n'] : lines
}

/** The whole stream that a turn is answered with. */
export const llmStream = (format: LlmFormat, turn: LlmTurn): string =>
  streamOf(format, WRITERS[format](asSaid(turn, '1', 'model')).events).join('')

async function send(response: ServerResponse, chunks: string[], { hold, cut }: LlmTurn): Promise<void> {
  if (cut) {
    const bytes = Buffer.from(chunks.join('')).subarray(0, cut.afterBytes)
    if (cut.how === 'end') return void response.end(bytes)
    return void response.write(bytes, () => cut.how === 'hang-up' && response.destroy())
  }
  if (hold) {
    for (const chunk of chunks.slice(0, hold.afterEvents)) response.write(chunk)
    await hold.until
  }
  for (const chunk of chunks.slice(hold?.afterEvents ?? 0)) response.write(chunk)
  response.end()
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

// ─── what is asked ───

type Told = Pick<LlmRequest, 'step' | 'system' | 'tools' | 'results'>

const inWords = (content: unknown): string =>
  typeof content === 'string' ? content : ((content ?? []) as Json[]).map((part) => String(part['text'] ?? '')).join('')

const systemOf = (messages: Json[]): string =>
  messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => inWords(content))
    .join('\n')

const READERS: Record<LlmFormat, (body: Json) => Told> = {
  chat: ({ messages, tools = [] }) => ({
    step: messages.filter((message: Json) => message['role'] === 'assistant').length,
    system: systemOf(messages),
    tools: tools.map((tool: Json) => tool['function'].name),
    results: messages
      .filter((message: Json) => message['role'] === 'tool')
      .map(({ content }: Json) => ({ output: content })),
  }),
  responses: ({ input, tools = [] }) => {
    // Some clients only name what the model has said before.
    const ofModel = ({ type, role }: Json = {}) =>
      type === 'function_call' || type === 'item_reference' || role === 'assistant'
    return {
      // Calls that stand one after the other are of one turn.
      step: input.filter((item: Json, at: number) => ofModel(item) && !ofModel(input[at - 1])).length,
      system: systemOf(input),
      tools: tools.map((tool: Json) => tool['name']),
      results: input
        .filter((item: Json) => item['type'] === 'function_call_output')
        .map(({ output }: Json) => ({ output })),
    }
  },
  messages: ({ messages, system, tools = [] }) => ({
    step: messages.filter((message: Json) => message['role'] === 'assistant').length,
    system: inWords(system),
    tools: tools.map((tool: Json) => tool['name']),
    results: messages
      .flatMap(({ content }: Json) => (Array.isArray(content) ? content : []))
      .filter((block: Json) => block['type'] === 'tool_result')
      .map(({ content, is_error = false }: Json) => ({ output: content, isError: is_error })),
  }),
}

// ─── what is answered ───

interface Answer {
  reasoning: string
  text: string
  calls: LlmCall[]
  finish: LlmTurn['finish']
  usage: { input: number; output: number }
  id: string
  model: string
}

const asSaid = (turn: LlmTurn, id: string, model: string): Answer => ({
  reasoning: turn.reasoning ?? '',
  text: turn.text ?? '',
  calls: turn.calls ?? [],
  finish: turn.finish,
  usage: turn.usage ?? { input: 1, output: 1 },
  id,
  model,
})

type Written = { whole: Json; events: Json[] }

const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []
const jsonOf = ({ input, inputText }: LlmCall): string => inputText ?? JSON.stringify(input ?? {})

const WRITERS: Record<LlmFormat, (answer: Answer) => Written> = {
  chat({ reasoning, text, calls, finish, usage: { input, output }, id, model }) {
    const base = { id: `chatcmpl-${id}`, created: 1, model }
    const finish_reason = finish?.replace('-', '_') ?? (calls.length > 0 ? 'tool_calls' : 'stop')
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
    const toolCalls = calls.map((call, index) => ({
      index,
      id: `call_${id}_${index}`,
      type: 'function',
      function: { name: call.name, arguments: jsonOf(call) },
    }))
    const chunk = (delta: Json, finished: string | null = null) => ({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finished }],
    })
    const message = { role: 'assistant', content: text || null, ...(calls.length > 0 && { tool_calls: toolCalls }) }
    return {
      whole: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
      events: [
        chunk({ role: 'assistant', content: '' }),
        ...words(reasoning).map((reasoning_content) => chunk({ reasoning_content })),
        ...words(text).map((content) => chunk({ content })),
        ...toolCalls.flatMap((call) => [
          chunk({ tool_calls: [{ ...call, function: { ...call.function, arguments: '' } }] }),
          chunk({ tool_calls: [{ index: call.index, function: { arguments: call.function.arguments } }] }),
        ]),
        chunk({}, finish_reason),
        { ...base, object: 'chat.completion.chunk', choices: [], usage },
      ],
    }
  },

  responses({ text, calls, finish, usage: { input, output }, id, model }) {
    const base = { id: `resp_${id}`, object: 'response', created_at: 1, model }
    const usage = {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    }
    const items: Json[] = calls.map((call, at) => ({
      type: 'function_call',
      id: `fc_${id}_${at}`,
      call_id: `call_${id}_${at}`,
      name: call.name,
      arguments: jsonOf(call),
      status: 'completed',
    }))
    const content = [{ type: 'output_text', text, annotations: [] }]
    if (text) items.unshift({ type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content })
    const said = (item: Json, output_index: number): Json[] => {
      const at = { item_id: item['id'], output_index }
      const inner = { ...at, content_index: 0 }
      const part = { type: 'output_text', text: '', annotations: [] }
      if (item['type'] === 'message') {
        return [
          { type: 'response.content_part.added', ...inner, part },
          ...words(text).map((delta) => ({ type: 'response.output_text.delta', ...inner, delta })),
          { type: 'response.output_text.done', ...inner, text },
        ]
      }
      return [
        { type: 'response.function_call_arguments.delta', ...at, delta: item['arguments'] },
        { type: 'response.function_call_arguments.done', ...at, arguments: item['arguments'] },
      ]
    }
    const events: Json[] = items.flatMap((item, output_index) => {
      const begun = item['type'] === 'message' ? { content: [] } : { arguments: '' }
      return [
        { type: 'response.output_item.added', output_index, item: { ...item, ...begun, status: 'in_progress' } },
        ...said(item, output_index),
        { type: 'response.output_item.done', output_index, item },
      ]
    })
    const reason = finish === 'length' ? 'max_output_tokens' : finish?.replace('-', '_')
    const status = reason ? 'incomplete' : 'completed'
    const whole = { ...base, status, output: items, usage, ...(reason && { incomplete_details: { reason } }) }
    const created = { type: 'response.created', response: { ...base, status: 'in_progress', output: [] } }
    const all = [created, ...events, { type: `response.${status}`, response: whole }]
    return { whole, events: all.map((event, sequence_number) => ({ ...event, sequence_number })) }
  },

  messages({ reasoning, text, calls, finish, usage: { input, output }, id, model }) {
    const cutShort = finish === 'length' ? 'max_tokens' : finish && 'refusal'
    const stop_reason = cutShort ?? (calls.length > 0 ? 'tool_use' : 'end_turn')
    const usage = { input_tokens: input, output_tokens: output }
    const base = { type: 'message', id: `msg_${id}`, role: 'assistant', model, stop_sequence: null, usage }
    const content: Json[] = calls.map((call, at) => ({
      type: 'tool_use',
      id: `toolu_${id}_${at}`,
      name: call.name,
      input: call.input ?? {},
    }))
    if (text) content.unshift({ type: 'text', text })
    if (reasoning) content.unshift({ type: 'thinking', thinking: reasoning, signature: `signed_${id}` })
    const said = content.length - calls.length
    const events = content.flatMap((block, index): Json[] => {
      const [deltas, begun] = deltasOf(block, calls[index - said])
      return [
        { type: 'content_block_start', index, content_block: { ...block, ...begun } },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]
    })
    return {
      whole: { ...base, content, stop_reason },
      events: [
        { type: 'message_start', message: { ...base, content: [], stop_reason: null } },
        ...events,
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } },
        { type: 'message_stop' },
      ],
    }
  },
}

/** How a block of Anthropic's arrives piece by piece, and how it looks before the first. */
function deltasOf(block: Json, call: LlmCall | undefined): [deltas: Json[], begun: Json] {
  if (call) return [[{ type: 'input_json_delta', partial_json: jsonOf(call) }], { input: {} }]
  if (block['type'] === 'text')
    return [words(block['text']).map((text) => ({ type: 'text_delta', text })), { text: '' }]
  const thoughts = words(block['thinking']).map((thinking) => ({ type: 'thinking_delta', thinking }))
  return [[...thoughts, { type: 'signature_delta', signature: block['signature'] }], { thinking: '', signature: '' }]
}
