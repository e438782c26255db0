/**
 * The limit: bare fetch + JSON.parse, bare stream reading. No error handling,
 * no correlation, no validation. What remains is what the platform itself costs.
 */
export const meta = { id: 'limit', eras: ['2025', '2026'] }

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'perf', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

async function rpc(c, method, params, onMessage) {
  const id = c.next++
  const headers = c.era === '2026' ? { ...c.headers, 'mcp-method': method } : c.headers
  if (c.era === '2026' && params.name !== undefined) headers['mcp-name'] = params.name
  const res = await fetch(c.url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  })
  if (res.headers.get('content-type').startsWith('application/json')) return (await res.json()).result
  const reader = res.body.getReader()
  const decoder = new TextDecoder()
  let parts = [] // pieces of an unfinished line
  let result
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return result
    const text = decoder.decode(value, { stream: true })
    let from = 0
    let to
    while ((to = text.indexOf('\n', from)) >= 0) {
      let line = text.slice(from, to)
      if (parts.length > 0) {
        parts.push(line)
        line = parts.join('')
        parts = []
      }
      if (line.startsWith('data: ')) {
        const message = JSON.parse(line.slice(6))
        if (message.id === id) result = message.result
        else onMessage?.(message.params)
      }
      from = to + 1
    }
    if (from < text.length) parts.push(text.slice(from))
  }
}

export async function connect(url, { era }) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const c = { url, era, headers, next: 0 }
  if (era === '2026') {
    headers['mcp-protocol-version'] = '2026-07-28'
    await rpc(c, 'server/discover', { _meta: META })
    return c
  }
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: c.next++,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'perf', version: '1.0.0' } },
  })
  const res = await fetch(url, { method: 'POST', headers, body })
  await res.text()
  headers['mcp-session-id'] = res.headers.get('mcp-session-id')
  headers['mcp-protocol-version'] = '2025-11-25'
  const sent = await fetch(url, {
    method: 'POST',
    headers,
    body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  })
  await sent.body?.cancel()
  return c
}

export async function listTools(c) {
  if (c.era !== '2026') return (await rpc(c, 'tools/list')).tools
  return (await rpc(c, 'tools/list', { _meta: META })).tools
}

export function callTool(c, name, args, onProgress) {
  if (c.era !== '2026' && onProgress === undefined) return rpc(c, 'tools/call', { name, arguments: args })
  const _meta = c.era === '2026' ? { ...META } : {}
  if (onProgress !== undefined) _meta.progressToken = c.next
  return rpc(c, 'tools/call', { name, arguments: args, _meta }, onProgress)
}

/** One literal for each tool, nothing looked at. */
export function convert(c, { tools }) {
  const set = Object.create(null)
  for (const { name, description, inputSchema: jsonSchema } of tools) {
    const execute = (args) => callTool(c, name, args)
    set[name] = { description, inputSchema: { jsonSchema, validate: undefined }, execute, type: 'dynamic' }
  }
  return set
}

export async function close(c) {
  if (c.era !== '2026') await (await fetch(c.url, { method: 'DELETE', headers: c.headers })).body?.cancel()
}
