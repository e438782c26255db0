import 'fake-indexeddb/auto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCompanion } from '@switchboard/companion'
import { programOf } from '@switchboard/testkit/real-servers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Failed } from '#domain/failure.ts'
import { createMcp } from '#mcp/create-mcp.ts'
import { endpointOf } from '#mcp/endpoint-of.ts'
import { nodeSchemaWorkers } from '#mcp/test/node-schema-worker.ts'
import { gptWith, serverRecord } from '#mcp/test/scenario.ts'
import { Database } from '#storage/db.ts'
import { observe } from '#storage/observe.ts'
import { createServers } from '#storage/servers.ts'
import { createToolLedger } from '#storage/tool-ledger.ts'

// A real companion and a real program; then its file has another command under the same name.

let folder: string
let config: string
let companion: Awaited<ReturnType<typeof startCompanion>>

const everything = () => programOf('@modelcontextprotocol/server-everything')
/** The same program, with the same tools, run in another way. */
const write = (...more: string[]) =>
  writeFile(
    config,
    JSON.stringify({
      mcpServers: { tool: { command: process.execPath, args: [...more, everything(), 'stdio'] } },
    }),
    { mode: 0o600 },
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changed-program-'))
  config = join(folder, 'servers.json')
  await write()
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  companion = await startCompanion({ port: 0, app: folder, config })
})
afterAll(async () => {
  await companion.close()
  await rm(folder, { recursive: true })
})

async function engine(trusted: boolean) {
  await write()
  const db = new Database(crypto.randomUUID())
  await db.mcpServers.add(
    serverRecord('local', '', { transport: 'stdio', companionName: 'tool', timeoutSeconds: 30, trusted }),
  )
  const workers = await nodeSchemaWorkers()
  const ledger = createToolLedger(db)
  const mcp = createMcp(
    {
      servers: createServers(db),
      secrets: { open: async () => undefined, seal: async () => {}, remove: async () => {} },
      signIns: { note: async () => {}, forget: async () => {} },
      companion: { origin: companion.origin, token: async () => companion.token },
      fetch: (url, init) => fetch(url, init),
      now: Date.now,
      customTools: () => Promise.reject(new Error('There are none.')),
      ledger,
      onState: () => {},
    },
    workers.start,
  )
  onTestFinished(async () => {
    mcp.close()
    db.close()
    await workers.gone()
  })
  const offered = async () => {
    const { tools } = await mcp.tools.toolsOf(gptWith(['local']), new AbortController().signal)
    return tools.find(({ toolName }) => toolName === 'echo')
  }
  return {
    db,
    ledger,
    mcp,
    offered,
    entry: async () => (await db.toolLedger.toArray()).find(({ toolName }) => toolName === 'echo'),
    /** The record, once it knows which program was met. */
    learnt: (program: string) =>
      new Promise<string>((resolve, reject) => {
        const end = observe(() => db.mcpServers.get('local'), {
          next: (server) => {
            if (!server?.found?.program || !program.endsWith(server.found.program)) return
            setTimeout(() => end())
            resolve(endpointOf(server))
          },
          error: reject,
        })
      }),
    call: (tool: NonNullable<Awaited<ReturnType<typeof offered>>>) =>
      mcp.tools.call(
        { ...tool, id: crypto.randomUUID(), arguments: '{"message":"hello"}' },
        { signal: new AbortController().signal, onProgress: () => {} },
      ),
  }
}

test('[A7.4] another command under the same name is another place: nothing is sent to it that was meant for the first', async () => {
  const { offered, call, mcp, entry, ledger, learnt } = await engine(false)
  const before = await offered()
  expect(before?.endpoint).toMatch(/^companion:tool#sha256-/)
  expect(await call(before!)).toMatchObject({ content: [{ text: 'Echo: hello' }] })
  expect(await learnt(before!.endpoint)).toBe(before!.endpoint)

  await write('--no-warnings')
  const refused = await call(before!).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Failed)
  expect((refused as Failed).failure.message).toContain('another command')

  // Met again, it is looked at before it is used.
  await mcp.connections.connect('local')
  expect(await offered()).toBeUndefined()
  const changed = await entry()
  expect(changed).toMatchObject({ state: 'changed', before: { endpoint: before!.endpoint } })
  expect(changed?.endpoint).toMatch(/^companion:tool#sha256-/)
  expect(changed?.endpoint).not.toBe(before!.endpoint)

  await ledger.see('local', [{ toolName: 'echo', fingerprint: changed!.fingerprint }])
  const after = await offered()
  expect(after).toMatchObject({ endpoint: changed?.endpoint })
  // What was allowed is bound to both of these, and holds no more.
  expect(after?.fingerprint).not.toBe(before!.fingerprint)
  expect(await call(before!).catch((error: unknown) => (error as Failed).failure.code)).toBe('tool-gone')
  expect(await call(after!)).toMatchObject({ content: [{ text: 'Echo: hello' }] })
})

test('[A7.4] what the user believed of the first program is not believed of the second', async () => {
  const { offered, mcp, db, learnt, ledger, entry } = await engine(true)
  const before = await offered()
  expect(before?.serverTrusted).toBe(true)
  await learnt(before!.endpoint)
  await write('--no-deprecation')
  mcp.connections.close('local')
  await offered()
  expect((await db.mcpServers.get('local'))?.trusted).toBe(false)
  await ledger.see('local', [{ toolName: 'echo', fingerprint: (await entry())!.fingerprint }])
  expect((await offered())?.serverTrusted).toBe(false)
  // Who trusts the second does so knowingly.
  await createServers(db).change('local', { trusted: true })
  expect((await offered())?.serverTrusted).toBe(true)
})
