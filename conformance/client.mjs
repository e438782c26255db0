// The client under test: a small application on the library's public surface. The conformance tools start it with the
// address of their server as the last argument, and the scenario's name in the environment.
import { deepStrictEqual, ok, strictEqual } from 'node:assert'

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const wire = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION
const url = process.argv.at(-1) ?? ''

// A hung client keeps the tool's pipes open, and the tool waits for ever. A timer that does not hold the process is
// enough: whatever hangs holds it.
setTimeout(() => {
  console.error('The client hung.')
  process.exit(3)
}, 40_000).unref()

/** @typedef {import('../packages/mcp/dist/index.js').MCPClient} MCPClient */

/** What the application does with the server, once it is connected. @type {Record<string, (client: MCPClient) => Promise<void>>} */
const applications = {
  async initialize(client) {
    strictEqual(client.serverInfo?.name, 'test-server')
  },

  async tools_call(client) {
    const { tools } = await client.listTools()
    deepStrictEqual(namesOf(tools), ['add_numbers'])
    const { text } = await client.call('add_numbers', { a: 5, b: 3 })
    strictEqual(text, 'The sum of 5 and 3 is 8')
  },

  async 'elicitation-sep1034-client-defaults'(client) {
    const [text] = await callEach(client)
    const filled = JSON.parse((text ?? '').replace('Elicitation completed: ', ''))
    deepStrictEqual(filled, { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true })
  },

  async 'sse-retry'(client) {
    deepStrictEqual(await callEach(client), ['Reconnection test completed successfully'])
  },

  async 'request-metadata'(client) {
    const { tools } = await client.listTools()
    deepStrictEqual(tools, [])
  },

  async 'http-standard-headers'(client) {
    await callEach(client)
    const { resources } = await client.listResources()
    strictEqual(resources.length, 2)
    for (const { uri } of resources) await client.readResource({ uri })
    const { prompts } = await client.listPrompts()
    strictEqual(prompts.length, 1)
    for (const { name } of prompts) await client.getPrompt({ name })
  },

  async 'http-custom-headers'(client) {
    const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
    strictEqual(toolCalls.length, 2)
    await client.listTools()
    for (const toolCall of toolCalls) await client.callTool(toolCall)
  },

  async 'http-invalid-tool-headers'(client) {
    const { tools } = await client.listTools()
    deepStrictEqual(namesOf(tools), ['valid_tool'])
    for (const { name } of tools) await client.callTool({ name, arguments: { region: 'us-west1' } })
  },

  async 'sep-2322-client-request-state'(client) {
    // All at once: the state of one call must not leak into another.
    const texts = await callEach(client)
    deepStrictEqual(texts, ['echo-state-ok', 'no-state-ok', 'unrelated-ok', 'no-result-type-test-ok'])
  },

  async 'json-schema-ref-no-deref'(client) {
    const { tools } = await client.listTools()
    deepStrictEqual(namesOf(tools), ['lookup_user'])
  },

  async 'json-schema-2020-12-preservation'(client) {
    const { tools } = await client.listTools()
    const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema
    ok(schema)
    await client.callTool({ name: 'json_schema_echo', arguments: { schema } })
  },
}

/** @param {{ name: string }[]} tools */
function namesOf(tools) {
  return tools.map(({ name }) => name)
}

/** Calls every listed tool without arguments. @param {MCPClient} client @returns {Promise<string[]>} */
async function callEach(client) {
  const { tools } = await client.listTools()
  ok(tools.length > 0)
  const answers = await Promise.all(tools.map(({ name }) => client.call(name, {})))
  return answers.map(({ isError, text }) => {
    ok(!isError, text)
    return text
  })
}

/** @param {string | undefined} version */
function isStateless(version) {
  return version !== undefined && version >= '2026-07-28'
}

const application = applications[scenario]
if (!application) {
  // Said before the library is loaded: a requirement set starts dozens of these at once.
  console.error(`There is no application for "${scenario}".`)
  process.exit(2)
}

const { createMCPClient } = await import('../packages/mcp/dist/index.js')
const client = await createMCPClient({
  transport: { type: 'http', url },
  clientName: 'switchboard-conformance',
  version: '0.1.0',
  onElicitationRequest: () => ({ action: 'accept', content: {} }),
})
if (wire) strictEqual(isStateless(client.getProtocolVersion()), isStateless(wire), 'the era of the server')
await application(client)
await client.close()
// Said at the very end, and without a process.exit: if the library has left something open, the watchdog comes first.
process.once('exit', (code) => {
  if (code === 0) console.log(`done in ${Math.round(performance.now())} ms`)
})
