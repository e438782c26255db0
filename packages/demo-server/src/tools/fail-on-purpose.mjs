import { object, text } from '../schema.mjs'

const NAME = 'fail_on_purpose'
const WAYS = ['answer with an error', 'refuse the call', 'hang up in the middle', 'forget the session']

/** Fails in the way one chooses. @param {import('@modelcontextprotocol/server').McpServer} server */
export function registerFailOnPurpose(server) {
  server.registerTool(
    NAME,
    {
      title: 'Fail on purpose',
      description: 'Fails in the way you choose, to show what a client makes of it.',
      inputSchema: object({ how: { type: 'string', title: 'How', enum: WAYS, default: WAYS[0] } }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ how }) =>
      how === 'forget the session'
        ? text(
            'The server forgot your session; a new one was made, and nobody noticed. (Without sessions there was nothing to forget.)',
          )
        : { ...text('This tool failed, as it was asked to: the printer is out of paper.'), isError: true },
  )
}

/** @param {unknown} value @returns {Record<string, unknown>} */
const fields = (value) =>
  typeof value === 'object' && value !== null ? /** @type {Record<string, unknown>} */ (value) : {}

/**
 * The bad answers that no tool can give by itself; undefined for a request that deserves a good one.
 * @param {unknown} body
 * @param {(requestId: unknown) => boolean} forgetSession
 * @returns {Response | undefined}
 */
export function misbehave(body, forgetSession) {
  const { method, id, params } = fields(body)
  const { name, arguments: given } = fields(params)
  if (method !== 'tools/call' || name !== NAME) return undefined
  const { how } = fields(given)
  if (how === 'refuse the call') {
    return Response.json({
      jsonrpc: '2.0',
      id,
      error: { code: -32602, message: 'This call was refused, as it asked to be' },
    })
  }
  if (how === 'hang up in the middle') {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(': working\n\n')),
      pull: (controller) => controller.close(),
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }
  if (how === 'forget the session' && forgetSession(id)) {
    const error = { code: -32001, message: 'This session is over' }
    return Response.json({ jsonrpc: '2.0', id, error }, { status: 404 })
  }
  return undefined
}
