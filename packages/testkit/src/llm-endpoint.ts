import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model does next: it speaks, calls tools, or the service refuses. */
export interface LlmTurn {
  text?: string
  calls?: { name: string; input?: unknown }[]
  refusal?: { status: number; message: string }
}

type Json = Record<string, any>
export type LlmFormat = 'chat' | 'responses' | 'messages'

export interface LlmRequest {
  format: LlmFormat
  body: Json
  headers: IncomingMessage['headers']
  /** How many turns the model has had in this conversation. */
  step: number
  /** The tools that are offered. */
  tools: string[]
  /** What tools have answered so far, as it stands in the request. */
  results: { output: unknown; isError?: boolean }[]
}

export interface LlmEndpoint {
  /** Base URL of all three: `${url}/chat/completions`, `${url}/responses`, `${url}/messages`, `${url}/models`. */
  url: string
  requests: LlmRequest[]
  close(): Promise<void>
}

/**
 * A model that follows a script and speaks as OpenAI (chat completions, responses) and Anthropic (messages) do, whole or as a
 * stream of events. A list is followed turn by turn, and once it has ended the model says "done".
 */
export async function startLlmEndpoint(script: LlmTurn[] | ((request: LlmRequest) => LlmTurn)): Promise<LlmEndpoint> {
  const requests: LlmRequest[] = []
  const next = typeof script === 'function' ? script : ({ step }: LlmRequest) => script[step] ?? { text: 'done' }
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path === '/v1/models') return answer(200, { object: 'list', data: [{ id: 'practice', object: 'model' }] })
    const format = FORMATS[path]
    if (!format) return answer(404, { error: { message: `There is no ${path}` } })

    const read = READERS[format]
    const body = JSON.parse(await textOf(request)) as Json
    const received = { format, body, headers: request.headers, ...read(body) }
    requests.push(received)
    const { text = '', calls = [], refusal } = next(received)
    if (refusal) return answer(refusal.status, { type: 'error', error: { type: 'refused', message: refusal.message } })
    const { whole, events } = WRITERS[format]({ text, calls, id: `${requests.length}`, model: String(body['model']) })
    if (body['stream'] !== true) return answer(200, whole)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      if (format !== 'chat') response.write(`event: ${event['type']}\n`)
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    }
    response.end(format === 'chat' ? 'data: [DONE]\n\n' : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
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

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

// ─── what is asked ───

type Told = Pick<LlmRequest, 'step' | 'tools' | 'results'>

const READERS: Record<LlmFormat, (body: Json) => Told> = {
  chat: ({ messages, tools = [] }) => ({
    step: messages.filter((message: Json) => message['role'] === 'assistant').length,
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
      tools: tools.map((tool: Json) => tool['name']),
      results: input
        .filter((item: Json) => item['type'] === 'function_call_output')
        .map(({ output }: Json) => ({ output })),
    }
  },
  messages: ({ messages, tools = [] }) => ({
    step: messages.filter((message: Json) => message['role'] === 'assistant').length,
    tools: tools.map((tool: Json) => tool['name']),
    results: messages
      .flatMap(({ content }: Json) => (Array.isArray(content) ? content : []))
      .filter((block: Json) => block['type'] === 'tool_result')
      .map(({ content, is_error = false }: Json) => ({ output: content, isError: is_error })),
  }),
}

// ─── what is answered ───

interface Answer {
  text: string
  calls: { name: string; input?: unknown }[]
  id: string
  model: string
}
type Written = { whole: Json; events: Json[] }

const words = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []
const json = (input: unknown): string => JSON.stringify(input ?? {})

const WRITERS: Record<LlmFormat, (answer: Answer) => Written> = {
  chat({ text, calls, id, model }) {
    const base = { id: `chatcmpl-${id}`, created: 1, model }
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const toolCalls = calls.map(({ name, input }, index) => ({
      index,
      id: `call_${id}_${index}`,
      type: 'function',
      function: { name, arguments: json(input) },
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

  responses({ text, calls, id, model }) {
    const base = { id: `resp_${id}`, object: 'response', created_at: 1, model }
    const usage = {
      input_tokens: 1,
      output_tokens: 1,
      total_tokens: 2,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    }
    const items: Json[] = calls.map(({ name, input }, at) => ({
      type: 'function_call',
      id: `fc_${id}_${at}`,
      call_id: `call_${id}_${at}`,
      name,
      arguments: json(input),
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
    const whole = { ...base, status: 'completed', output: items, usage }
    const created = { type: 'response.created', response: { ...base, status: 'in_progress', output: [] } }
    const all = [created, ...events, { type: 'response.completed', response: whole }]
    return { whole, events: all.map((event, sequence_number) => ({ ...event, sequence_number })) }
  },

  messages({ text, calls, id, model }) {
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
    const usage = { input_tokens: 1, output_tokens: 1 }
    const base = { type: 'message', id: `msg_${id}`, role: 'assistant', model, stop_sequence: null, usage }
    const content: Json[] = calls.map(({ name, input = {} }, at) => ({
      type: 'tool_use',
      id: `toolu_${id}_${at}`,
      name,
      input,
    }))
    if (text) content.unshift({ type: 'text', text })
    const events = content.flatMap((block, index): Json[] => {
      const spoken = block['type'] === 'text'
      const deltas = spoken
        ? words(text).map((word) => ({ type: 'text_delta', text: word }))
        : [{ type: 'input_json_delta', partial_json: json(block['input']) }]
      return [
        { type: 'content_block_start', index, content_block: { ...block, ...(spoken ? { text: '' } : { input: {} }) } },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]
    })
    return {
      whole: { ...base, content, stop_reason },
      events: [
        { type: 'message_start', message: { ...base, content: [], stop_reason: null } },
        ...events,
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ],
    }
  },
}
