import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

export const meta = { id: 'sdk2', eras: ['2025', '2026'] }

export async function connect(url, { era }) {
  // The default is legacy (2025); 'auto' probes with server/discover and falls back.
  const client = new Client(
    { name: 'perf', version: '1.0.0' },
    era === '2025' ? undefined : { versionNegotiation: { mode: 'auto' } },
  )
  const transport = new StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport)
  return { client, transport }
}

export async function listTools({ client }) {
  return (await client.listTools()).tools // walks the pages itself
}

export function callTool({ client }, name, args, onProgress) {
  return client.callTool({ name, arguments: args }, onProgress === undefined ? undefined : { onprogress: onProgress })
}

export async function close({ client, transport }) {
  await transport.terminateSession()
  await client.close()
}
