/**
 * The timed scenarios. This file runs unchanged in Node and in the page.
 *   server  options of the endpoint (see server.js)
 *   n       units of work in a block
 *   unit    what one unit is
 *   run     does n units with a connected client; `fresh` scenarios connect themselves
 *   lists   the client lists the tools once before (clients may keep what they learn from it)
 *   settle  full garbage collection before each block: for blocks that leave large objects behind. It also drops
 *           optimised code, so that blocks of many small steps would measure the compiler
 *   times   factor on the number of rounds, for short blocks. Many short ones tell more than few long ones: whatever else the
 *           machine does then meets all contestants
 *   warm    rounds thrown away before the measured ones (default 1): for small steps as many as make 2,250 requests, for lists
 *           of 100 tools 800
 *   eras    protocol eras to run (default: all that an adapter has)
 *   needs   a deed that not every adapter has; those without it stay away
 *   peersOnly  compared with the peers alone, as bare fetch has nothing of the kind
 *   bytes   size of one result: pairs of such scenarios show whether the cost is linear
 */
const MB = 1 << 20

function expect(ok, what) {
  if (!ok) throw new Error(`wrong answer: ${what}`)
}

async function callInSequence(adapter, client, n) {
  for (let i = 0; i < n; i++) {
    const { content } = await adapter.callTool(client, 'echo', { text: 'hello' })
    expect(content[0].text === 'hello', 'echo')
  }
}

async function callAtOnce(adapter, client, n, width) {
  let left = n
  const worker = async () => {
    while (left-- > 0) await adapter.callTool(client, 'echo', { text: 'hello' })
  }
  await Promise.all(Array.from({ length: width }, worker))
}

async function list(adapter, client, n, size) {
  for (let i = 0; i < n; i++) expect((await adapter.listTools(client)).length === size, 'tools/list')
}

async function callBig(adapter, client, n, bytes) {
  for (let i = 0; i < n; i++) {
    const { content } = await adapter.callTool(client, 'big', { bytes })
    expect(content[0].text.length > bytes * 0.9, 'big')
  }
}

async function receive(adapter, client, n, batch) {
  let seen = 0
  await adapter.callTool(client, 'notify', { count: n, batch }, () => {
    seen++
  })
  expect(seen === (adapter.meta.hasProgress === false ? 0 : n), `${seen} of ${n} notifications`)
}

/** Small calls and lists, so that what compiling a client takes is not taken for what its work takes. */
export async function warmUp(adapter, url) {
  const client = await adapter.connect(url, { era: '2025' })
  await callInSequence(adapter, client, 50)
  await list(adapter, client, 50, 100)
  await adapter.close(client)
}

/** What each client listed once: what becomes of it is measured, not how it came. */
const listed = new WeakMap()

async function convert(adapter, client, n, size) {
  if (!listed.has(client)) listed.set(client, { tools: await adapter.listTools(client) })
  for (let i = 0; i < n; i++)
    expect(Object.keys(adapter.convert(client, listed.get(client))).length === size, 'tools for the AI SDK')
}

const callCase = (mode) => ({
  id: `call-${mode}`,
  title: `sequential small calls, ${mode.toUpperCase()}`,
  server: { mode, tools: 100 },
  lists: true,
  n: 60,
  unit: 'call',
  times: 16,
  warm: 38,
  run: callInSequence,
})

const atOnceCase = (width, mode, times, warm) => ({
  id: `c${width}-${mode}`,
  title: `${width.toLocaleString('en')} calls at once, ${mode.toUpperCase()}`,
  server: { mode, tools: 100 },
  lists: true,
  n: Math.max(320, width),
  unit: 'call',
  times,
  warm,
  run: (adapter, client, n) => callAtOnce(adapter, client, n, width),
})

const listCase = (size, mode, n) => ({
  id: `list-${size}-${mode}`,
  title: `list of ${size} tools, ${mode.toUpperCase()}`,
  server: { mode, tools: size, ...(mode === 'sse' ? { chunk: 16_384 } : {}) },
  n,
  unit: 'list',
  times: { 100: 10, 1000: 6, 5000: 1 }[size],
  warm: { 100: 100, 1000: 4, 5000: 2 }[size],
  settle: size === 5000,
  ...(size === 1000 && mode === 'json' ? {} : { eras: ['2025'] }),
  run: (adapter, client, times) => list(adapter, client, times, size),
})

const bigCase = (megabytes, mode, chunk, n) => ({
  id: `big-${megabytes}m-${mode}${chunk ? `-${chunk >> 10}k` : ''}`,
  title: `result of ${megabytes} MB, ${mode.toUpperCase()}${chunk ? `, ${chunk >> 10} KB chunks` : ''}`,
  server: { mode, chunk },
  bytes: megabytes * MB,
  n,
  unit: 'call',
  warm: 2,
  settle: true,
  eras: ['2025'],
  run: (adapter, client, times) => callBig(adapter, client, times, megabytes * MB),
})

const notifyCase = (batch, eras) => ({
  id: `notify-b${batch}`,
  title: `100,000 notifications, ${batch} per chunk`,
  server: { mode: 'sse' },
  n: 100_000,
  unit: 'message',
  warm: 3,
  ...(eras ? { eras } : {}),
  run: (adapter, client, n) => receive(adapter, client, n, batch),
})

export const SCENARIOS = [
  {
    id: 'connect',
    title: 'connect + close',
    server: { mode: 'json' },
    n: 12,
    unit: 'cycle',
    fresh: true,
    times: 20,
    warm: 190,
    async run(adapter, url, era, n) {
      for (let i = 0; i < n; i++) await adapter.close(await adapter.connect(url, { era }))
    },
  },
  {
    id: 'session',
    title: 'connect + list of 100 + 1 call + close',
    server: { mode: 'json', tools: 100 },
    n: 8,
    unit: 'cycle',
    fresh: true,
    times: 15,
    warm: 95,
    async run(adapter, url, era, n) {
      for (let i = 0; i < n; i++) {
        const client = await adapter.connect(url, { era })
        await list(adapter, client, 1, 100)
        await callInSequence(adapter, client, 1)
        await adapter.close(client)
      }
    },
  },
  callCase('json'),
  callCase('sse'),
  atOnceCase(64, 'json', 8, 12),
  atOnceCase(64, 'sse', 8, 12),
  atOnceCase(1000, 'json', 3, 4),
  listCase(100, 'json', 8),
  listCase(1000, 'json', 2),
  listCase(5000, 'json', 1),
  listCase(100, 'sse', 8),
  listCase(1000, 'sse', 2),
  listCase(5000, 'sse', 1),
  {
    id: 'convert-1000',
    title: '1,000 tool definitions as tools for the AI SDK',
    server: { mode: 'json', tools: 1000 },
    n: 20,
    unit: 'conversion',
    warm: 3,
    needs: 'convert',
    peersOnly: true,
    eras: ['2025'],
    run: (adapter, client, n) => convert(adapter, client, n, 1000),
  },
  bigCase(1, 'json', 0, 8),
  bigCase(1, 'sse', 1024, 4),
  bigCase(1, 'sse', 16_384, 8),
  bigCase(20, 'json', 0, 1),
  bigCase(20, 'sse', 1024, 1),
  bigCase(20, 'sse', 16_384, 1),
  notifyCase(1000),
  notifyCase(1, ['2025']),
]
