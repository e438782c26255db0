import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

export const meta = { id: 'sdk1', eras: ['2025'] }

export async function connect(url) {
  const client = new Client({ name: 'perf', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport)
  return { client, transport }
}

export async function listTools({ client }) {
  const tools = []
  let cursor
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor })
    tools.push(...page.tools)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tools
}

export function callTool({ client }, name, args, onProgress) {
  return client.callTool(
    { name, arguments: args },
    undefined,
    onProgress === undefined ? undefined : { onprogress: onProgress },
  )
}

export async function close({ client, transport }) {
  await transport.terminateSession()
  await client.close()
}
