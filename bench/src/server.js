/**
 * The loopback MCP server all clients are measured against. node:http only, no
 * framework, every large body serialised (and HTTP-chunk-framed) once.
 *
 * Endpoint: /mcp?era=2025|2026|both&mode=json|sse&chunk=N&tools=N&out=P&get=405|sse&maxage=S&delay=MS
 *   era     2025: initialize + Mcp-Session-Id (2025-06-18 and 2025-11-25);
 *           2026: server/discover, stateless (2026-07-28); both: either
 *   mode    body of a response to a request: application/json or text/event-stream
 *   chunk   SSE only: size in bytes of each HTTP chunk (0: one chunk)
 *   tools   number of tools in tools/list; out: percent of them with an outputSchema
 *   get     answer to the standalone GET stream: 405, or an open SSE stream
 *   maxage  Access-Control-Max-Age for CORS preflights (absent: header absent)
 *   delay   milliseconds before any answer (a stand-in for the round-trip time)
 *
 * Tools: echo{text}; big{bytes,unicode}; notify{count,batch} (batch = events per HTTP chunk).
 *
 * Run as a child process (fork): { command: 'log' } starts a new request log, { command: 'take' } returns
 * and ends it.
 */
import http from 'node:http'
import fs from 'node:fs'
import path from 'node:path'
import { makeText, makeTools } from './payloads.js'

const STATIC_DIR = process.argv[2]
const SESSION = 'a3f1c9e0-5b7d-4c2e-9f10-7d8e6b5a4c31'
const CRLF = Buffer.from('\r\n')

/* ---------- pre-serialised parts ---------- */

const cache = new Map()
function memo(key, make) {
  let v = cache.get(key)
  if (v === undefined) cache.set(key, (v = make()))
  return v
}

/** `result` of tools/list as bytes. */
function toolsResult(count, out, era) {
  return memo(`tools:${count}:${out}:${era}`, () => {
    const result = { tools: makeTools(count, out) }
    if (era === '2026') Object.assign(result, { resultType: 'complete', ttlMs: 0, cacheScope: 'private' })
    return Buffer.from(JSON.stringify(result))
  })
}

/** `result` of the big tool as bytes. */
function bigResult(bytes, unicode, era) {
  return memo(`big:${bytes}:${unicode}:${era}`, () =>
    Buffer.concat([
      Buffer.from('{"content":[{"type":"text","text":"'),
      makeText(bytes, unicode),
      Buffer.from(era === '2026' ? '"}],"resultType":"complete"}' : '"}]}'),
    ]),
  )
}

/** Frame a buffer as HTTP/1.1 chunks of `size` bytes each. */
function frame(buf, size) {
  const step = size > 0 ? size : buf.length
  const parts = []
  for (let at = 0; at < buf.length; at += step) {
    const end = Math.min(at + step, buf.length)
    parts.push(Buffer.from(`${(end - at).toString(16)}\r\n`), buf.subarray(at, end), CRLF)
  }
  return Buffer.concat(parts)
}

/** The SSE tail (result + end of event), framed; the head carries the request id. */
function framedTail(key, result, chunk) {
  return memo(`tail:${key}:${chunk}`, () => frame(Buffer.concat([result, Buffer.from('}\n\n')]), chunk))
}

/* ---------- sending ---------- */

function sendJson(res, extra, id, result) {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
  if (typeof result === 'string') {
    res.writeHead(200, { 'content-type': 'application/json', ...extra })
    res.end(`${head}${result}}`)
    return
  }
  res.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(head) + result.length + 1,
    ...extra,
  })
  res.write(head)
  res.write(result)
  res.end('}')
}

const SSE_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'transfer-encoding': 'chunked' }

function sendSse(res, extra, id, result, chunk, key) {
  const head = `event: message\ndata: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
  res.writeHead(200, { ...SSE_HEADERS, ...extra })
  if (typeof result === 'string') {
    res.end(`${head}${result}}\n\n`)
    return
  }
  res.flushHeaders()
  const socket = res.socket
  socket.cork()
  socket.write(frame(Buffer.from(head), 0))
  socket.write(framedTail(key, result, chunk))
  socket.uncork()
  res.end()
}

/** Resolves when the socket can take more, or is gone. */
function drained(socket) {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done)
      socket.off('close', done)
      resolve()
    }
    socket.on('drain', done)
    socket.on('close', done)
  })
}

/** `count` progress notifications, then the result; `batch` events per HTTP chunk. */
async function sendNotifications(res, extra, id, token, count, batch, resultText) {
  res.writeHead(200, { ...SSE_HEADERS, ...extra })
  res.flushHeaders()
  const socket = res.socket
  const head = `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(token)},"progress":`
  const tail = `,"total":${count},"message":"working"}}\n\n`
  const perWrite = 1000
  for (let i = 0; i < count; i += perWrite) {
    const to = Math.min(i + perWrite, count)
    let text = ''
    if (batch === 1) {
      for (let k = i + 1; k <= to; k++) {
        const event = head + k + tail
        text += `${event.length.toString(16)}\r\n${event}\r\n`
      }
    } else {
      for (let k = i; k < to; k += batch) {
        let group = ''
        for (let j = k + 1; j <= Math.min(k + batch, to); j++) group += head + j + tail
        text += `${group.length.toString(16)}\r\n${group}\r\n`
      }
    }
    if (!socket.write(text, 'latin1')) await drained(socket)
    if (socket.destroyed) return
  }
  const last = `event: message\ndata: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultText}}\n\n`
  socket.write(`${last.length.toString(16)}\r\n${last}\r\n`)
  res.end()
}

/* ---------- request handling ---------- */

const configs = new Map()
function configOf(url) {
  let c = configs.get(url)
  if (c === undefined) {
    const q = new URL(url, 'http://x').searchParams
    c = {
      era: q.get('era') ?? '2025',
      sse: q.get('mode') === 'sse',
      chunk: Number(q.get('chunk') ?? 0),
      tools: Number(q.get('tools') ?? 3),
      out: Number(q.get('out') ?? 0),
      getSse: q.get('get') === 'sse',
      maxAge: q.get('maxage'),
      delay: Number(q.get('delay') ?? 0),
    }
    configs.set(url, c)
  }
  return c
}

let log = null
function record(req, bodyBytes, rpc) {
  let headerBytes = req.method.length + 1 + req.url.length + 11 // request line incl. CRLF
  for (let i = 0; i < req.rawHeaders.length; i += 2)
    headerBytes += req.rawHeaders[i].length + req.rawHeaders[i + 1].length + 4
  log.push({
    http: req.method,
    rpc,
    headerBytes: headerBytes + 2,
    bodyBytes,
    t: performance.now(),
    headers: log.length < 64 ? req.rawHeaders : undefined,
  })
}

const ECHO = {
  2025: '{"content":[{"type":"text","text":"hello"}]}',
  2026: '{"content":[{"type":"text","text":"hello"}],"resultType":"complete"}',
}
const CAPS = '{"tools":{"listChanged":true}}'
const INFO = '{"name":"perf-server","version":"1.0.0"}'
const DISCOVER = `{"supportedVersions":["2026-07-28"],"capabilities":${CAPS},"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":${INFO}}}`

function fail(res, extra, status, id, code, message) {
  res.writeHead(status, { 'content-type': 'application/json', ...extra })
  res.end(JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }))
}

function onRpc(req, res, cfg, cors, body) {
  const msg = JSON.parse(body)
  if (log !== null) record(req, body.length, msg.method ?? 'response')
  const { id, method, params } = msg
  if (id === undefined || method === undefined) {
    res.writeHead(202, cors)
    res.end()
    return
  }
  const modern =
    req.headers['mcp-protocol-version'] === '2026-07-28' &&
    params?._meta?.['io.modelcontextprotocol/protocolVersion'] === '2026-07-28'
  if (modern && cfg.era === '2025') return fail(res, cors, 400, null, -32000, 'Bad Request: Server not initialized')
  if (!modern && cfg.era === '2026') return fail(res, cors, 400, id, -32022, 'Unsupported protocol version')
  const era = modern ? '2026' : '2025'
  let extra = cors
  if (!modern) {
    if (method === 'initialize') {
      const asked = params.protocolVersion
      const version = asked === '2025-06-18' || asked === '2025-11-25' ? asked : '2025-11-25'
      extra = { ...cors, 'mcp-session-id': SESSION }
      return reply(`{"protocolVersion":"${version}","capabilities":${CAPS},"serverInfo":${INFO}}`)
    }
    if (req.headers['mcp-session-id'] !== SESSION)
      return fail(res, cors, 400, id, -32000, 'Bad Request: Mcp-Session-Id header is required')
  }

  function reply(result, key) {
    if (cfg.sse) sendSse(res, extra, id, result, cfg.chunk, key)
    else sendJson(res, extra, id, result)
  }

  switch (method) {
    case 'server/discover':
      return reply(DISCOVER)
    case 'ping':
      return reply(modern ? '{"resultType":"complete"}' : '{}')
    case 'tools/list':
      return reply(toolsResult(cfg.tools, cfg.out, era), `tools:${cfg.tools}:${cfg.out}:${era}`)
    case 'tools/call': {
      const args = params.arguments ?? {}
      if (params.name === 'big')
        return reply(bigResult(args.bytes, !!args.unicode, era), `big:${args.bytes}:${!!args.unicode}:${era}`)
      if (params.name === 'notify')
        return void sendNotifications(
          res,
          extra,
          id,
          params._meta?.progressToken ?? id,
          args.count,
          args.batch ?? 1000,
          ECHO[era],
        )
      return reply(ECHO[era])
    }
    default:
      return fail(res, extra, modern ? 404 : 200, id, -32601, 'Method not found')
  }
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json' }
const ISOLATION = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'no-store',
}

/** A cold start: imports the client named in the query and, given a url, goes on to the first result of a call. */
async function start() {
  const { id, url } = Object.fromEntries(new URLSearchParams(location.search))
  const begin = performance.now()
  const { connect, listTools, callTool } = await import(`/static/${id}/adapter.js`)
  if (url === undefined) return performance.now() - begin
  const client = await connect(url, { era: '2025' })
  await listTools(client)
  await callTool(client, 'echo', { text: 'x' })
  return performance.now() // since the navigation began
}

const PAGES = {
  'blank.html': '<!doctype html><title>bench</title>',
  'start.html': `<!doctype html><title>bench</title><script>globalThis.started = (${start})()</script>`,
}

function onStatic(req, res) {
  const name = decodeURIComponent(req.url.split('?')[0]).replace('/static/', '')
  const page = PAGES[name]
  if (page !== undefined) return res.writeHead(200, { 'content-type': 'text/html', ...ISOLATION }).end(page)
  const file = path.join(STATIC_DIR, path.normalize(`/${name}`))
  if (!STATIC_DIR || !fs.existsSync(file)) return res.writeHead(404).end()
  res.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream', ...ISOLATION })
  res.end(memo(`file:${file}:${fs.statSync(file).mtimeMs}`, () => fs.readFileSync(file)))
}

const server = http.createServer({ keepAliveTimeout: 600_000, requestTimeout: 0, noDelay: true }, (req, res) => {
  if (req.url.startsWith('/static/')) return onStatic(req, res)
  if (!req.url.startsWith('/mcp')) return res.writeHead(404).end() // favicon
  const cfg = configOf(req.url)
  const cors =
    req.headers.origin === undefined
      ? {}
      : {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'mcp-session-id',
          'cross-origin-resource-policy': 'cross-origin',
        }
  if (req.method === 'POST') {
    let body = ''
    req.setEncoding('latin1') // requests are ASCII here; avoids the UTF-8 decoder
    req.on('data', (d) => {
      body += d
    })
    req.on('end', () =>
      cfg.delay > 0 ? setTimeout(onRpc, cfg.delay, req, res, cfg, cors, body) : onRpc(req, res, cfg, cors, body),
    )
    return
  }
  if (log !== null) record(req, 0, undefined)
  if (cfg.delay > 0) setTimeout(onOther, cfg.delay, req, res, cfg, cors)
  else onOther(req, res, cfg, cors)
})

function onOther(req, res, cfg, cors) {
  if (req.method === 'OPTIONS') {
    const extra = cfg.maxAge === null ? {} : { 'access-control-max-age': cfg.maxAge }
    res.writeHead(204, {
      ...cors,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers':
        '*, authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, user-agent',
      ...extra,
    })
    return res.end()
  }
  if (req.method === 'GET' && cfg.getSse) {
    res.writeHead(200, { ...SSE_HEADERS, ...cors })
    res.flushHeaders()
    return
  }
  if (req.method === 'DELETE') {
    res.writeHead(200, cors)
    return res.end()
  }
  res.writeHead(405, { allow: 'POST, DELETE', ...cors })
  res.end()
}

server.on('connection', (s) => {
  s.on('error', () => {})
})
server.listen(0, '127.0.0.1', () => process.send?.({ ready: server.address().port }))

process.on('message', ({ command }) => {
  if (command === 'take') process.send({ log })
  log = command === 'log' ? [] : null
})
process.on('disconnect', () => process.exit(0))
