// Connect, list, call. `npm start` serves the demo server at this address.
import { createMCPClient } from '@switchboard/mcp'

const url = process.argv[2] ?? 'http://localhost:4114/demo/mcp'
const client = await createMCPClient({ transport: { type: 'http', url } })
console.log(`${client.serverInfo.name} speaks ${client.getProtocolVersion()}`)

const { tools } = await client.listTools()
console.log(tools.map((tool) => tool.name).join(', '))

const { text, data, isError } = await client.call('forecast', { city: 'Oslo', days: 2 })
console.log(isError ? `The tool failed: ${text}` : data)

await client.close()
