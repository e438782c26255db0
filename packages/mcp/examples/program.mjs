// A server that is a program of this machine: node program.mjs npx -y @modelcontextprotocol/server-everything stdio
import { createMCPClient } from '@switchboard/mcp'
import { StdioTransport } from '@switchboard/mcp/stdio'

const [command = 'npx', ...args] = process.argv.slice(2)
const transport = new StdioTransport({ command, args, stderr: 'ignore' }) // it sees PATH, HOME and the like, and no secrets
const client = await createMCPClient({ transport })

const { tools } = await client.listTools()
console.log(`${client.serverInfo.name} has ${tools.length} tools`)
console.log((await client.call('echo', { message: 'Hello' })).text)

await client.close()
