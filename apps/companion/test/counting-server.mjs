// A server of the session era with one tool, which writes a line into a file for every time that it runs.
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const file = process.argv[2] ?? ''
const answer = (/** @type {unknown} */ id, /** @type {object} */ result) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') {
    const serverInfo = { name: 'counting', version: '1.0.0' }
    answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo })
  } else if (method === 'tools/list') {
    answer(id, { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] })
  } else if (method === 'tools/call') {
    appendFileSync(file, 'ran\n')
    const text = `paid ${readFileSync(file, 'utf8').split('\n').length - 1}`
    setTimeout(() => answer(id, { content: [{ type: 'text', text }] }), params.arguments?.ms ?? 0)
  } else process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } })}\n`)
})
