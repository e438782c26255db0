import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HttpTransport } from '@switchboard/mcp'
import { type RealServerName, type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { firstEvent, statusOfSession, textOf, withResolvers } from '../interop/surroundings.ts'
import { type ForeignClient, type ForeignEra, type ForeignKind, foreignKinds, titleOf } from './clients.ts'

const DOCUMENT = fileURLToPath(new URL('../../docs/compatibility.md', import.meta.url))
const DEEDS = ['connect', 'list', 'call', 'notification', 'abort', 'close'] as const
type Deed = (typeof DEEDS)[number]

interface Server {
  key: RealServerName
  name: string
  /** The packages that are the server. */
  packages: string[]
  eras: ForeignEra[]
  tool: string
  quick: { name: string; args(): Record<string, unknown>; says: string }
  /** Makes the server say something unasked; absent where it never does. */
  news?: { method: string; resource?: string; tool: { name: string; args(): Record<string, unknown> } }
  /** Answers only when aborted, and how to ask whether it was. */
  slow?: { name: string; args: Record<string, unknown>; heard?: { name: string; args: Record<string, unknown> } }
}

const some = () => Math.random().toString(36).slice(2)
const entities = () => ({ entities: [{ name: some(), entityType: 'test', observations: ['here'] }] })

const servers: Server[] = [
  {
    key: 'everything',
    name: 'server-everything',
    packages: ['@modelcontextprotocol/server-everything'],
    eras: ['sessions'],
    tool: 'echo',
    quick: { name: 'echo', args: () => ({ message: 'héllo' }), says: 'Echo: héllo' },
    news: { method: 'notifications/message', tool: { name: 'toggle-simulated-logging', args: () => ({}) } },
    slow: { name: 'trigger-long-running-operation', args: { duration: 20, steps: 2 } },
  },
  {
    key: 'memory',
    name: 'server-memory behind mcp-proxy',
    packages: ['mcp-proxy', '@modelcontextprotocol/server-memory'],
    eras: ['sessions', 'stateless'],
    tool: 'read_graph',
    quick: { name: 'create_entities', args: entities, says: '"entityType": "test"' },
    news: {
      method: 'notifications/resources/updated',
      resource: 'memory://knowledge-graph',
      tool: { name: 'create_entities', args: entities },
    },
  },
  {
    key: 'filesystem',
    name: 'server-filesystem behind mcp-proxy',
    packages: ['mcp-proxy', '@modelcontextprotocol/server-filesystem'],
    eras: ['sessions', 'stateless'],
    tool: 'read_text_file',
    quick: {
      name: 'read_text_file',
      args: () => ({ path: join(running.addresses.folder, 'hello.txt') }),
      says: 'hello',
    },
  },
  {
    key: 'apps',
    name: 'server-debug, an MCP App',
    packages: ['@modelcontextprotocol/server-debug'],
    eras: ['sessions'],
    tool: 'debug-tool',
    quick: { name: 'debug-tool', args: () => ({ contentType: 'text' }), says: 'text' },
  },
  {
    key: 'twoEras',
    name: 'a server of both eras',
    packages: ['@modelcontextprotocol/server'],
    eras: ['sessions', 'stateless'],
    tool: 'add',
    quick: { name: 'add', args: () => ({ a: 2, b: 40 }), says: '{"sum":42}' },
    news: { method: 'notifications/tools/list_changed', tool: { name: 'add-tool', args: () => ({ name: some() }) } },
    slow: { name: 'wait', args: { ticket: 'x' }, heard: { name: 'await-cancelled', args: { ticket: 'x' } } },
  },
]

/** Each client in each era it is set to at each server that has it; where a server has no choice, it is left to find that out. */
const rows = foreignKinds.flatMap((kind) =>
  servers.map((server) => ({
    kind,
    server,
    era: server.eras.includes(kind.era) ? kind.era : ('sessions' as const),
    title: `${titleOf(kind)} × ${server.name}`,
  })),
)
type Row = (typeof rows)[number]

let running: RealServers
const cells = new Map<Row, Partial<Record<Deed, string>>>()

/** One deed of one row: done, or a cross in the table and a failed test. */
async function mark(row: Row, deed: Deed, run: () => Promise<boolean | void>): Promise<void> {
  const marks = cells.get(row) ?? {}
  cells.set(row, marks)
  marks[deed] = '✗'
  marks[deed] = (await run()) === false ? '–' : '✓'
}

/** What the first clients of this table tell to nobody but their transport, and a call that is held once the server has answered it. */
class WatchedTransport extends HttpTransport {
  version: string | undefined
  #hold: { left: () => void; released: Promise<void> } | undefined

  constructor(url: string) {
    super({ url, fetch: (input, init) => this.#send(String(input), init ?? {}) })
  }

  /** The answer of the next call stays away until its request is aborted or this is released. */
  holdNext(): { left: Promise<void>; release: () => void } {
    const [leaving, releasing] = [withResolvers<void>(), withResolvers<void>()]
    this.#hold = { left: leaving.resolve, released: releasing.promise }
    return { left: leaving.promise, release: releasing.resolve }
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const hold = typeof init.body === 'string' && init.body.includes('"tools/call"') ? this.#hold : undefined
    if (hold) this.#hold = undefined
    const response = await fetch(url, init)
    hold?.left()
    await Promise.race([hold?.released, hold && whenAborted(init.signal)])
    return response
  }

  override setProtocolVersion(version: string): void {
    this.version = version
    super.setProtocolVersion(version)
  }
}

const whenAborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))

/** False where the server has nothing to tell, or the client does not ask for it. */
async function hearNews({ server, era }: Row, client: ForeignClient, transport: HttpTransport): Promise<boolean> {
  const { news } = server
  if (!news || (!client.listen && (news.resource || era === 'stateless'))) return false
  const { listener, seen } = firstEvent<void>()
  const onMethod = (method: string) => method === news.method && listener()
  if (client.onNotification) client.onNotification(onMethod)
  else transport.on('notification', ({ method }) => onMethod(method))
  if (era === 'sessions') await transport.openStream()
  await client.listen?.(news.resource ? { resource: news.resource } : { tools: true })
  await client.call(news.tool.name, news.tool.args())
  await seen
  return true
}

async function abort({ kind, server }: Row, client: ForeignClient, transport: WatchedTransport): Promise<void> {
  const stop = new AbortController()
  const { slow, quick } = server
  const endless = slow && kind.abortsAtOnce ? { name: slow.name, args: { ...slow.args } } : undefined
  const ticket = some()
  if (endless && slow?.heard) endless.args['ticket'] = ticket
  const held = endless ? undefined : transport.holdNext()
  const call = client.call(endless?.name ?? quick.name, endless?.args ?? quick.args(), stop.signal)
  const ended = call.then(
    () => 'was answered',
    () => 'aborted',
  )
  // The request is on its way when another that was sent after it has been answered.
  if (endless) await client.call(quick.name, quick.args())
  await held?.left
  stop.abort(new Error('enough'))
  // `ai` 5 looks at the signal when the answer is there.
  if (!kind.abortsAtOnce) held?.release()
  expect(await ended).toBe('aborted')
  if (endless && slow?.heard && kind.tellsOfAbort) await client.call(slow.heard.name, { ticket })
  expect(textOf(await client.call(quick.name, quick.args()))).toContain(quick.says)
}

describe('HttpTransport in the clients of others', () => {
  beforeAll(async () => {
    running = await startRealServers(servers.map(({ key }) => key))
  })
  afterAll(() => running.stop())

  it.each(rows.map((row) => [row.title, row] as const))(
    '[I-Y1] %s: connects, lists, calls, hears, aborts, closes',
    async (_, row) => {
      const { kind, server, era } = row
      const url = running.addresses[server.key]
      const transport = new WatchedTransport(url)
      let client!: ForeignClient
      await mark(row, 'connect', async () => {
        client = await kind.connect(transport)
        // `ai` 5 does not tell its transport, so the answer of the server is all there is.
        const revision = era === 'stateless' ? '2026-07-28' : kind.package === 'ai-5-mcp' ? undefined : '2025-11-25'
        expect(transport.version).toBe(revision)
      })
      onTestFinished(() => client.close())
      await mark(row, 'list', async () => expect(await client.list()).toContain(server.tool))
      await mark(row, 'call', async () => {
        const { name, args, says } = server.quick
        expect(textOf(await client.call(name, args()))).toContain(says)
        const many = await Promise.all(Array.from({ length: 5 }, () => client.call(name, args())))
        for (const one of many) expect(textOf(one)).toContain(says)
      })
      await mark(row, 'notification', () => hearNews(row, client, transport))
      await mark(row, 'abort', () => abort(row, client, transport))
      await mark(row, 'close', async () => {
        const session = transport.sessionId
        await client.close()
        await client.close()
        await expect(client.call(server.quick.name, server.quick.args())).rejects.toThrow()
        if (session !== undefined) expect(await statusOfSession(url, session)).toBeGreaterThanOrEqual(400)
      })
    },
  )

  it('[I-Y2] docs/compatibility.md holds the table as these tests have made it', () => {
    expect(cells.size).toBe(rows.length)
    const document = `${TEXT}\n${table()}\n${versions()}`
    if (process.env['SWITCHBOARD_WRITE_DOCS']) writeFileSync(DOCUMENT, document)
    console.log(table())
    expect(existsSync(DOCUMENT) && readFileSync(DOCUMENT, 'utf8')).toBe(document)
  })
})

const TEXT = `# Our transport in the clients of others

\`HttpTransport\`, unchanged, as the transport of every client that has a place for one, at servers that others have written. The tests make this
table: \`npx vitest run --project node packages/mcp/test/foreign\` fails when a cell is not true any more, and writes the page anew with
\`SWITCHBOARD_WRITE_DOCS=1\`.

- **connect**: in the era of the row, with the revision that both know. **list**, **call**: the right tools; the right answer, also of five calls at once.
- **notification**: what the server says unasked reaches the client's own handler, or the transport's \`on('notification')\` where the client has none.
  \`–\`: this server has nothing to say (server-filesystem, server-debug), or the client has no way to ask for it (resource subscriptions in the clients of
  the AI SDK, \`subscriptions/listen\` in \`@ai-sdk/mcp\` 2.x).
- **abort**: a call that has reached the server ends with its caller's signal, and the next one works. The server hears of it from the official clients in both eras and from \`@ai-sdk/mcp\`
  2.x in the stateless one; \`ai\` 5 itself waits for the answer before it looks at the signal.
- **close**: twice is fine, nothing can be called afterwards, the session is given back.
`

function table(): string {
  const lines = rows.map((row) => {
    const { kind, server, era } = row
    const marks = DEEDS.map((deed) => cells.get(row)?.[deed] ?? '✗')
    const client = `${kind.name}${kind.setting ? `, ${kind.setting}` : ''}`
    return `| ${[client, server.name, era, ...marks].join(' | ')} |`
  })
  return [
    `| client | server | era | ${DEEDS.join(' | ')} |`,
    `|---|---|---|${':-:|'.repeat(DEEDS.length)}`,
    ...lines,
    '',
  ].join('\n')
}

function versions(): string {
  const names = new Set([
    ...foreignKinds.map((kind: ForeignKind) => kind.package),
    ...servers.flatMap((server) => server.packages),
  ])
  return `Versions: ${[...names].map(versionOf).sort().join(', ')}.\n`
}

/** Name and version of an installed package, found without asking its \`exports\`. */
function versionOf(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  const file = folders.map((folder) => join(folder, name, 'package.json')).find(existsSync) ?? ''
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }
  return `\`${manifest.name}\` ${manifest.version}`
}
