// A server of both eras on the official server SDK that speaks through its standard input and output.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

/** @type {Set<string>} */
const cancelled = new Set()
/** @type {(() => void)[]} */
const heard = []
const extra = new Set()
const text = (/** @type {string} */ value) => ({ content: [{ type: /** @type {const} */ ('text'), text: value }] })
const withTicket = fromJsonSchema({ type: 'object', properties: { ticket: { type: 'string' } }, required: ['ticket'] })

function buildServer() {
  const server = new McpServer(
    { name: 'two-eras', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  )
  server.registerTool(
    'echo',
    { inputSchema: fromJsonSchema({ type: 'object', properties: { message: { type: 'string' } } }) },
    (/** @type {any} */ { message }) => text(`Echo: ${message}`),
  )
  server.registerTool('count', { description: 'Counts to three' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (let progress = 1; progress <= 3 && progressToken !== undefined; progress++) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } })
    }
    return text('three')
  })
  server.registerTool('wait', { inputSchema: withTicket }, async (/** @type {any} */ { ticket }, { mcpReq }) => {
    await /** @type {Promise<void>} */ (
      new Promise((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()))
    )
    cancelled.add(ticket)
    for (const tell of heard.splice(0)) tell()
    return text('cancelled')
  })
  server.registerTool('await-cancelled', { inputSchema: withTicket }, async (/** @type {any} */ { ticket }) => {
    while (!cancelled.has(ticket)) await /** @type {Promise<void>} */ (new Promise((resolve) => heard.push(resolve)))
    return text(`${ticket} was cancelled`)
  })
  server.registerTool('add-tool', { description: 'Adds a tool and tells of it' }, () => {
    const name = `added-${extra.size}`
    extra.add(name)
    server.registerTool(name, { description: 'Added' }, () => text(name))
    return text(name)
  })
  return server
}

serveStdio(buildServer)
