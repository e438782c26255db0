// A server of the session era that asks its client, and waits where it is told to.
import { createInterface } from 'node:readline'

const write = (/** @type {object} */ message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (/** @type {string} */ value) => ({ content: [{ type: 'text', text: value }] })

let calls = 0
let asked = 0
/** @type {Map<number, (answer: any) => void>} */
const waiting = new Map()
/** @type {(() => void)[]} */
const held = []
/** @type {Set<string>} */
const watched = new Set()

/** @returns {Promise<string>} */
const ask = () =>
  new Promise((resolve) => {
    const id = ++asked
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    waiting.set(id, ({ result, error }) =>
      resolve(error ? error.message : [result.action, result.content?.name].filter(Boolean).join(' ')),
    )
    write({ id, method: 'elicitation/create', params: { message: 'Who?', requestedSchema } })
  })

/** @type {Record<string, (args: any) => Promise<string> | string>} */
const tools = {
  ask: async () => `${await ask()}, calls ${calls}`,
  'ask-twice': async () => `${await ask()}, ${await ask()}, calls ${calls}`,
  count: () => `calls ${calls}`,
  wait: () => new Promise((resolve) => held.push(() => resolve('released'))),
  release: () => {
    for (const go of held.splice(0)) go()
    return 'done'
  },
  touch: ({ uri }) => {
    write({ method: 'notifications/resources/updated', params: { uri } })
    return 'touched'
  },
  watched: () => JSON.stringify([...watched]),
}

/** @type {Record<string, (params: any) => Promise<object> | object>} */
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: { subscribe: true } },
    serverInfo: { name: 'asking', version: '1.0.0' },
    instructions: 'Ask.',
  }),
  'tools/list': () => ({ tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  'tools/call': async ({ name, arguments: args }) => {
    if (name !== 'count') calls++
    return text((await tools[name]?.(args)) ?? '')
  },
  'resources/subscribe': ({ uri }) => {
    watched.add(uri)
    return {}
  },
  'resources/unsubscribe': ({ uri }) => {
    watched.delete(uri)
    return {}
  },
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line)
  const { id, method, params } = message
  if (method === undefined) return waiting.get(id)?.(message)
  if (id === undefined) return
  const deed = methods[method]
  if (deed) write({ id, result: await deed(params) })
  else write({ id, error: { code: -32601, message: 'Method not found' } })
})
