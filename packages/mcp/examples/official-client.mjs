// HttpTransport carries the clients of others as well: here the official one.
import { Client } from '@modelcontextprotocol/client'
import { HttpTransport } from '@switchboard/mcp'

const transport = new HttpTransport(process.argv[2] ?? 'http://localhost:4114/demo/mcp')
transport.on('retry', ({ method, waitMs, reason }) => console.log(`${method} again in ${waitMs} ms: ${reason}`))

const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(transport)

const { content } = await client.callTool({ name: 'world_clock', arguments: { timeZone: 'Asia/Tokyo' } })
console.log(content[0].text)

await client.close()
