import { deepStrictEqual, ok, strictEqual } from 'node:assert'

/** @typedef {import('../packages/mcp/dist/index.js').MCPClient} MCPClient */

/** What the application does with the server, once it is connected. @type {Record<string, (client: MCPClient) => Promise<void>>} */
export const applications = {
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

/** What there is behind every sign-in. @param {MCPClient} client */
export async function useTestTool(client) {
  const { tools } = await client.listTools()
  deepStrictEqual(namesOf(tools), ['test-tool'])
  const { isError, text } = await client.call('test-tool', {})
  ok(!isError, text)
  strictEqual(text, 'test')
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
