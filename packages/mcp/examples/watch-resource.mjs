// Hear of changes: one subscription, either era.
import { MCPClient } from '@switchboard/mcp'

const client = new MCPClient(process.argv[2] ?? 'http://localhost:4114/demo/mcp')
client.onNotification(({ method }) => console.log(`heard: ${method}`))

let tell
const changed = new Promise((resolve) => (tell = resolve))
const subscription = await client.subscribe('note://ideas', tell)

await client.call('write_note', { name: 'ideas', text: 'Build a kite.' })
await changed
console.log((await client.readResource({ uri: 'note://ideas' })).contents[0].text)

await subscription.close()
await client.close()
