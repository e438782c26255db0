// A server of the session era that speaks the one protocol version written in a file.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [file = ''] = process.argv.slice(2)

/** @type {Record<string, () => object>} */
const methods = {
  initialize: () => ({
    protocolVersion: readFileSync(file, 'utf8').trim(),
    capabilities: { tools: {} },
    serverInfo: { name: 'old', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'greet', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'hello' }] }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = methods[method]?.()
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
