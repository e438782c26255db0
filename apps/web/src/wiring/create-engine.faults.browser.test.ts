import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { Database } from '#storage/db.ts'
import { listGpts } from '#storage/live.ts'
import type { EngineState } from './commands.ts'
import { createEngine, type Engine } from './create-engine.ts'
import { createEngineState } from './engine-state.ts'

const name = 'switchboard-engine-faults-test'
const db = new Database(name)
let engine: Engine
let state: EngineState

beforeAll(async () => {
  await new Database(name).delete()
  engine = await createEngine({
    origin: location.origin,
    companionCode: undefined,
    state: createEngineState((next) => (state = next)),
    startSchemaWorker: () => new Worker(new URL('../mcp/schema-worker.ts', import.meta.url), { type: 'module' }),
    startOpenApiWorker: () =>
      new Worker(new URL('../mcp/custom-tools/openapi-worker.ts', import.meta.url), { type: 'module' }),
    name,
  })
})

afterAll(async () => {
  await engine.wipe()
  db.close()
})

const expectSoon = (holds: () => boolean) => expect.poll(holds, { interval: 20 }).toBe(true)

/** A disk that is full for rows of this table. */
function fullFor(table: string) {
  const add = IDBObjectStore.prototype.add
  return vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, ...row) {
    if (this.name === table) throw new DOMException('', 'QuotaExceededError')
    return add.apply(this, row)
  })
}

test('[R-33] an answer that cannot be stored is told, until it is tried again with room on the disk', async () => {
  const [gpt] = await listGpts(db)
  const { conversationId } = await engine.startConversation({ gptId: gpt?.id ?? '', text: 'hello' })
  const answers = async () =>
    (await db.messages.where({ conversationId }).toArray()).filter(
      ({ role, status }) => role === 'assistant' && status === 'done',
    )
  await expect.poll(answers).toHaveLength(1)

  const disk = fullFor('messages')
  await engine.regenerate({ conversationId, messageId: (await answers())[0]?.id ?? '' })
  await expectSoon(() => state.storage.state === 'failing')
  expect(state.storage).toMatchObject({
    failure: { code: 'storage-full', message: expect.stringContaining('no room left') },
  })

  disk.mockRestore()
  await engine.continueTurn({ conversationId })
  await expect.poll(answers).toHaveLength(2)
  expect(state.storage.state).toBe('stored')
})

test('a server whose key was in a locked vault is connected when the vault is opened', async () => {
  const { serverId } = await engine.saveServer({
    server: {
      name: 'Everything',
      description: '',
      transport: 'streamable-http',
      url: inject('realServers').everything,
      authentication: { type: 'bearer' },
      timeoutSeconds: 30,
      retries: 3,
      relay: false,
      trusted: false,
      enabled: true,
    },
    secrets: { token: 'c4n4ry' },
  })
  await expectSoon(() => state.servers[serverId]?.state === 'connected')
  await engine.setPassphrase({ passphrase: 'correct horse battery' })
  await engine.lock()
  await expectSoon(() => state.servers[serverId]?.state === 'disconnected')
  await engine.unlock({ passphrase: 'correct horse battery' })
  await expectSoon(() => state.servers[serverId]?.state === 'connected')
})
