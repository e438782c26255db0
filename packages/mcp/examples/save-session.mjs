// Go on with a session in another page or process.
import { createMCPClient } from '@switchboard/mcp'

const url = process.argv[2] ?? 'http://localhost:4114/demo/mcp'
const transport = { type: 'http', url, terminateSessionOnClose: false }

const first = await createMCPClient({ transport, protocolVersionDiscovery: false })
const saved = JSON.stringify(first.saveSession()) // holds the session id: keep it as you keep a password
await first.close()

const second = await createMCPClient({ transport: { type: 'http', url }, session: JSON.parse(saved) })
console.log((await second.call('world_clock', { timeZone: 'Asia/Tokyo' })).text)
console.log(second.getSessionId() === JSON.parse(saved).sessionId ? 'the same session' : 'a new session')

await second.close()
