// A server on the official server SDK that answers in both eras on one URL: sessions (initialize, session id, GET stream,
// requests to the client) and stateless (2026-07-28: discover, input-required results, subscriptions/listen).
// Every tool is written once; the SDK turns an input-required result into requests to a client of the session era.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  isLegacyRequest,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const CITIES = ['Paris', 'Parma', 'Porto', 'Prague']

/** What all instances share: a stateless server is built anew for each request. */
const notes = new Map([
  ['first', 'the first note'],
  ['second', 'the second note'],
  ['third', 'the third note'],
])
const extraTools = new Set()
/** @type {Map<string, { promise: Promise<void>, resolve: () => void }>} */
const tickets = new Map()
/** @type {Map<string, { transport: NodeStreamableHTTPServerTransport, server: McpServer, subscriptions: Set<string> }>} */
const sessions = new Map()

/** @param {string} value */
const text = (value) => ({ content: [{ type: /** @type {const} */ ('text'), text: value }] })
/**
 * @param {Record<string, object>} properties
 * @param {string[]} [required]
 * @returns {import('@modelcontextprotocol/server').StandardSchemaWithJSON<any, any>}
 */
const object = (properties, required = Object.keys(properties)) =>
  fromJsonSchema({ type: 'object', properties, required })
/** @param {string} name */
const noteUri = (name) => `note://pages/${name}`

/** @param {string} name */
function ticketOf(name) {
  let ticket = tickets.get(name)
  if (ticket === undefined) {
    let resolve = () => {}
    const promise = /** @type {Promise<void>} */ (new Promise((done) => (resolve = done)))
    ticket = { promise, resolve }
    tickets.set(name, ticket)
  }
  return ticket
}

/** @param {McpServer} server @param {string} name */
function registerExtra(server, name) {
  server.registerTool(name, { description: 'Added later' }, () => text(`${name} ran`))
}

/** @param {string} name */
function addTool(name) {
  extraTools.add(name)
  stateless.notify.toolsChanged()
  // A server that is connected tells its client by itself.
  for (const { server } of sessions.values()) registerExtra(server, name)
}

/** @param {string} uri */
function tellUpdated(uri) {
  stateless.notify.resourceUpdated(uri)
  for (const { server, subscriptions } of sessions.values()) {
    if (subscriptions.has(uri)) void server.server.sendResourceUpdated({ uri })
  }
}

/** @param {Set<string>} subscriptions */
function buildServer(subscriptions) {
  const mcp = new McpServer(
    { name: 'two-eras', version: '1.0.0', title: 'Two eras' },
    {
      instructions: 'Ask for anything, in either era.',
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'public' } },
    },
  )

  mcp.registerTool(
    'echo',
    { description: 'Says it back', inputSchema: object({ message: { type: 'string' } }) },
    (args) => text(`Echo: ${args.message}`),
  )

  mcp.registerTool(
    'add',
    {
      title: 'Add',
      description: 'Adds two numbers',
      inputSchema: object({ a: { type: 'number' }, b: { type: 'number' } }),
      outputSchema: object({ sum: { type: 'number' } }),
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
    ({ a, b }) => ({ ...text(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }),
  )

  mcp.registerTool('picture', { description: 'One pixel' }, () => ({
    content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }],
  }))

  mcp.registerTool('fail', { description: 'Never works' }, () => ({ ...text('This never works'), isError: true }))

  mcp.registerTool(
    'count',
    { description: 'Counts, with progress', inputSchema: object({ to: { type: 'integer' } }) },
    async ({ to }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken
      for (let progress = 1; progress <= to && progressToken !== undefined; progress++) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: to, message: `step ${progress}` },
        })
      }
      return text(`Counted to ${to}`)
    },
  )

  mcp.registerTool(
    'talk',
    { description: 'Logs before it answers', inputSchema: object({ about: { type: 'string' } }) },
    async ({ about }, { mcpReq }) => {
      await mcpReq.log('info', { about }, 'two-eras')
      return text(`Talked about ${about}`)
    },
  )

  mcp.registerTool(
    'route',
    {
      description: 'Says which header carried the region',
      inputSchema: object({ region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } }, [
        'region',
      ]),
    },
    ({ region }, { http }) =>
      text(JSON.stringify({ region, header: http?.req?.headers.get('mcp-param-region') ?? null })),
  )

  mcp.registerTool(
    'wait',
    { description: 'Answers only when it is cancelled', inputSchema: object({ ticket: { type: 'string' } }) },
    async ({ ticket }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken
      if (progressToken !== undefined) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: 0, message: 'waiting' },
        })
      }
      await /** @type {Promise<void>} */ (
        new Promise((resolve) => {
          if (mcpReq.signal.aborted) resolve()
          else mcpReq.signal.addEventListener('abort', () => resolve(), { once: true })
        })
      )
      ticketOf(ticket).resolve()
      return text('cancelled')
    },
  )

  mcp.registerTool(
    'await-cancelled',
    {
      description: 'Answers when the call with this ticket has been cancelled',
      inputSchema: object({ ticket: { type: 'string' } }),
    },
    async ({ ticket }) => {
      await ticketOf(ticket).promise
      return text(`${ticket} was cancelled`)
    },
  )

  mcp.registerTool('book-table', { description: 'Asks with a form that has defaults' }, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.booking
    if (answer !== undefined) return text(JSON.stringify(answer))
    return inputRequired({
      inputRequests: {
        booking: inputRequired.elicit({
          message: 'Which table?',
          requestedSchema: {
            type: 'object',
            properties: {
              name: { type: 'string', title: 'Name', default: 'Ada' },
              guests: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
              outside: { type: 'boolean', default: true },
              time: { type: 'string', enum: ['18:00', '20:00'], default: '20:00' },
              note: { type: 'string' },
            },
            required: ['name', 'guests'],
          },
        }),
      },
    })
  })

  mcp.registerTool('pay', { description: 'Asks the user to open a page' }, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.payment
    if (answer !== undefined) return text(JSON.stringify(answer))
    return inputRequired({
      inputRequests: {
        payment: inputRequired.elicitUrl({ message: 'Please pay', url: 'https://pay.example/order/7' }),
      },
    })
  })

  mcp.registerTool('survey', { description: 'Asks twice, with a state in between' }, ({ mcpReq }) => {
    const state = mcpReq.requestState()
    const one = mcpReq.inputResponses?.one
    const two = mcpReq.inputResponses?.two
    if (two !== undefined) return text(JSON.stringify({ state, two }))
    /** @param {string} message */
    const ask = (message) =>
      inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: { word: { type: 'string' } } } })
    if (one === undefined) return inputRequired({ inputRequests: { one: ask('First word?') } })
    return inputRequired({ inputRequests: { two: ask('Second word?') }, requestState: JSON.stringify(one) })
  })

  mcp.registerTool('summarise', { description: 'Asks the client for its model' }, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.summary
    if (answer !== undefined) return text(JSON.stringify(answer))
    return inputRequired({
      inputRequests: {
        summary: inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'Summarise: all is well.' } }],
          maxTokens: 20,
        }),
      },
    })
  })

  mcp.registerTool('where', { description: 'Asks for the roots' }, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.roots
    if (answer !== undefined) return text(JSON.stringify(answer))
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
  })

  mcp.registerTool(
    'write-note',
    {
      description: 'Writes a note and tells who subscribed to it',
      inputSchema: object({ name: { type: 'string' }, text: { type: 'string' } }),
    },
    (args) => {
      notes.set(args.name, args.text)
      tellUpdated(noteUri(args.name))
      return text(`Wrote ${noteUri(args.name)}`)
    },
  )

  mcp.registerTool(
    'add-tool',
    { description: 'Adds a tool to the list and tells everybody', inputSchema: object({ name: { type: 'string' } }) },
    ({ name }) => {
      addTool(name)
      return text(`Added ${name}`)
    },
  )
  for (const name of extraTools) registerExtra(mcp, name)

  for (const name of ['first', 'second', 'third']) {
    mcp.registerResource(name, noteUri(name), { mimeType: 'text/plain', title: `Note ${name}` }, (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/plain', text: notes.get(name) ?? '' }],
    }))
  }
  mcp.registerResource(
    'page',
    new ResourceTemplate('note://pages/{name}', {
      list: undefined,
      complete: { name: (value) => [...notes.keys()].filter((name) => name.startsWith(value)) },
    }),
    { mimeType: 'text/plain', title: 'A note by name' },
    (uri, { name }) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: notes.get(String(name)) ?? '' }] }),
  )
  mcp.server.setRequestHandler('resources/list', ({ params }) => {
    const names = ['first', 'second', 'third']
    const from = Number(params?.cursor ?? 0)
    const resources = names
      .slice(from, from + 2)
      .map((name) => ({ name, uri: noteUri(name), mimeType: 'text/plain', title: `Note ${name}` }))
    return from + 2 < names.length ? { resources, nextCursor: String(from + 2) } : { resources }
  })
  mcp.server.setRequestHandler('resources/subscribe', ({ params }) => {
    subscriptions.add(params.uri)
    return {}
  })
  mcp.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscriptions.delete(params.uri)
    return {}
  })

  mcp.registerPrompt(
    'trip',
    { title: 'A trip', description: 'Plans a trip', argsSchema: object({ city: { type: 'string' } }) },
    ({ city }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Plan a trip to ${city}.` } }] }),
  )
  mcp.server.setRequestHandler('completion/complete', ({ params }) => {
    const values = params.ref.type === 'ref/prompt' ? CITIES : [...notes.keys()]
    const fitting = values.filter((value) => value.startsWith(params.argument.value))
    return { completion: { values: fitting, total: fitting.length, hasMore: false } }
  })
  return mcp
}

const stateless = createMcpHandler(() => buildServer(new Set()), { legacy: 'reject' })
const answerStateless = toNodeHandler(stateless)

/**
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 * @param {unknown} body
 */
async function answerSession(req, res, body) {
  const id = req.headers['mcp-session-id']
  if (typeof id === 'string') {
    const session = sessions.get(id)
    if (session !== undefined) return session.transport.handleRequest(req, res, body)
    res.writeHead(404, { 'content-type': 'application/json' })
    return res.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }))
  }
  /** @type {Set<string>} */
  const subscriptions = new Set()
  const server = buildServer(subscriptions)
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (sessionId) => void sessions.set(sessionId, { transport, server, subscriptions }),
    onsessionclosed: (sessionId) => void sessions.delete(sessionId),
  })
  await server.connect(transport)
  await transport.handleRequest(req, res, body)
}

const http = createServer(async (req, res) => {
  res.setHeader('access-control-allow-origin', '*')
  res.setHeader('access-control-expose-headers', 'mcp-session-id, mcp-protocol-version')
  if (req.method === 'OPTIONS') {
    res.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
    res.setHeader('access-control-allow-headers', req.headers['access-control-request-headers'] ?? '')
    res.writeHead(204).end()
    return
  }
  const request = await toWebRequest(/** @type {any} */ (req))
  /** @type {unknown} */
  let body
  if (req.method === 'POST') {
    try {
      body = await request.clone().json()
    } catch {
      res.writeHead(400).end()
      return
    }
  }
  if (await isLegacyRequest(request)) await answerSession(req, res, body)
  else await answerStateless(/** @type {any} */ (req), res, body)
})
http.listen(Number(process.env.PORT ?? 0), '127.0.0.1')
