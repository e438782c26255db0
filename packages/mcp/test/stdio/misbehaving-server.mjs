// A server of the session era that keeps the protocol, until it is told not to. Its tools are its faults.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const faults = new Set(process.argv.slice(2))
const line = (/** @type {unknown} */ value) => process.stdout.write(`${JSON.stringify(value)}\n`)
const answer = (/** @type {unknown} */ id, /** @type {object} */ result) => line({ jsonrpc: '2.0', id, result })
const text = (/** @type {string} */ value) => ({ content: [{ type: 'text', text: value }] })

if (faults.has('dies')) {
  console.error('no configuration found')
  process.exit(3)
}
if (faults.has('greets')) process.stdout.write('Welcome!\n\n\u001B[31m{"jsonrpc":"2.0"\n[]\n')
// Keeps running when its input ends, and when it is asked to stop.
if (faults.has('stubborn')) {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
// Never reads a byte.
if (faults.has('deaf')) setInterval(() => {}, 1000)

/** @type {Record<string, (id: number, args: Record<string, any>) => void>} */
const tools = {
  echo: (id, { message }) => answer(id, text(message)),
  environment: (id) => answer(id, text(JSON.stringify(process.env))),
  exit: (_id, { code }) => process.exit(code),
  'kill-itself': () => process.kill(process.pid, 'SIGKILL'),
  silence: () => {},
  // Answers and is gone: what it said must still be heard.
  'last-words': (id, { size }) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: text('x'.repeat(size)) })}\n`, () =>
      process.exit(0),
    ),
  'a-long-line': (id, { megabytes, first }) => {
    const block = 'x'.repeat(1 << 20)
    const head = first
      ? `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`
      : '{"result":{"content":[{"type":"text","text":"'
    const tail = first ? '"}]}}\n' : `"}]},"jsonrpc":"2.0","id":${id}}\n`
    // Or the next answer would be a part of this line.
    input?.pause()
    process.stdout.write(head)
    let left = megabytes
    const more = () => {
      while (left-- > 0) if (!process.stdout.write(block)) return void process.stdout.once('drain', more)
      process.stdout.write(tail)
      input?.resume()
    }
    more()
  },
  noise: (id, { lines }) => {
    for (let count = 0; count < lines; count++) console.log(`log line ${count}`)
    answer(id, text('after the noise'))
  },
  log: (id, { lines }) => {
    for (let count = 0; count < lines; count++) console.error('x'.repeat(1000))
    answer(id, text('logged'))
  },
  print: (id, args) => process.stdout.write(`${args.line}\n`, () => answer(id, text('printed'))),
  // A program that outlives this one and holds its output open, or goes on talking there, or logs without an output.
  'start-another': (id, { talks, cleans }) => {
    const deed = cleans
      ? `process.on("SIGTERM", () => setTimeout(() => {
          require("fs").writeFileSync(${JSON.stringify(cleans)}, "clean")
          process.exit()
        }, 500))`
      : 'process.on("SIGTERM", () => {}); process.on("uncaughtException", () => {})'
    const talk = talks ? `process.${talks}.write("still here\\n")` : ''
    const code = `${deed}; setInterval(() => { ${talk} }, 20); process.send("ready", () => process.disconnect())`
    const output = talks === 'stderr' || cleans ? 'ignore' : 'inherit'
    const other = spawn(process.execPath, ['-e', code], {
      stdio: ['ignore', output, cleans ? 'ignore' : 'inherit', 'ipc'],
    })
    other.once('message', () => answer(id, text(String(other.pid))))
  },
  // Is gone before another answers in its place.
  'words-of-another': (id) => {
    const words = JSON.stringify({ jsonrpc: '2.0', id, result: text('said by another') })
    const code = `setTimeout(() => console.log(${JSON.stringify(words)}), 100); process.send("ready", () => process.disconnect())`
    const other = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    other.once('message', () => process.exit(0))
  },
  'answer-nobody': (id) => {
    line({ jsonrpc: '2.0', id: 'nobody', result: {} })
    line({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
    answer(id, text('done'))
    answer(id, text('done again'))
  },
  cancelled: (id) => answer(id, text(JSON.stringify(cancelled))),
}

/** @type {unknown[]} */
const cancelled = []

/** @param {string} received */
function receive(received) {
  const { id, method, params = {} } = JSON.parse(received)
  if (method === 'notifications/cancelled') cancelled.push(params.requestId)
  if (id === undefined) return
  if (method === 'initialize') {
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'misbehaving', version: '1.0.0' },
    })
  } else if (method === 'tools/list') {
    answer(id, { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) })
  } else if (method === 'tools/call') {
    tools[params.name]?.(id, params.arguments ?? {})
  } else line({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
}

const input = faults.has('deaf') ? undefined : createInterface({ input: process.stdin }).on('line', receive)
