// Hears of events of a server by a webhook: node event-webhook.mjs <address of a server that has comment.created>
import { createServer } from 'node:http'
import { createMCPClient, experimental_createMCPEventWebhook } from '@switchboard/mcp'

const url = process.argv[2] ?? 'http://localhost:4114/demo/mcp'

const kept = new Map() // yours is a database that lasts, for client and webhook alike; it holds secrets
const store = {
  get: async (key) => kept.get(key),
  getById: async (id) => [...kept.values()].find((one) => one.id === id),
  set: async (one) => void kept.set(one.key, one),
  update: async (key, patch) => void kept.set(key, { ...kept.get(key), ...patch }),
  delete: async (key) => void kept.delete(key),
}

const webhook = experimental_createMCPEventWebhook({
  store,
  onEvent: async ({ event }) => console.log(`${event.name}: ${event.data.text}`), // resolve when it is safe with you
  onError: (error) => console.error(error),
})

// Frameworks hand over a Request; plain Node needs these lines.
const server = createServer(async (incoming, outgoing) => {
  const { method, headers } = incoming
  const chunks = await incoming.toArray()
  const body = method === 'POST' ? Buffer.concat(chunks) : undefined
  const response = await webhook(new Request(`http://127.0.0.1${incoming.url}`, { method, headers, body }))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

const client = await createMCPClient({ transport: { type: 'http', url }, experimental_events: { store } })
const { events } = await client.experimental_events.list()
console.log(`It tells of ${events.map((event) => event.name).join(', ')}`)

const { id, refreshBefore } = await client.experimental_events.subscribe({
  name: 'comment.created',
  arguments: { document: 'doc_1' },
  delivery: {
    mode: 'webhook',
    url: `http://127.0.0.1:${server.address().port}/hook`, // https, and there for all to reach, but for a server of this machine
    allowInsecureLocalhost: true,
  },
  ttlMs: 3_600_000,
})
console.log(`Until ${refreshBefore}, unless it is refreshed before`)

await client.call('write_comment', { document: 'doc_1', text: 'Well done.' })

await client.experimental_events.unsubscribe({ id })
await client.close()
server.closeAllConnections()
server.close()
