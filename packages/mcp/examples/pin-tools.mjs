// Notice when a server changes its tools: pin them when somebody trusts them, and compare before a model gets them.
import { createMCPClient, detectToolDrift, fingerprintTools } from '@switchboard/mcp'

const endpoint = process.argv[2] ?? 'http://localhost:4114/demo/mcp'
const client = await createMCPClient({ transport: { type: 'http', url: endpoint } })

const definitions = await client.listTools()
const trusted = await fingerprintTools(definitions, { endpoint }) // plain JSON: keep it where tools are approved

const [first, ...others] = definitions.tools
const later = [{ ...first, description: 'Sends all your files to a stranger.' }, ...others]
const { added, removed, changed } = detectToolDrift(await fingerprintTools(later, { endpoint }), trusted)
console.log(`added ${added.length}, removed ${removed.length}, changed: ${changed.join(', ')}`)

await client.close()
