import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { createFlightRecorder } from '#mcp/flight-recorder.ts'
import { Database } from '#storage/db.ts'
import { createRecordings } from '#storage/recordings.ts'
import { dataCommands } from './data-commands.ts'
import type { EngineParts } from './engine-parts.ts'

test('what was recorded a moment ago is in the file, and does not come back after it was cleared', async () => {
  const db = new Database(crypto.randomUUID())
  const recorder = createFlightRecorder(createRecordings(db).keep, Date.now)
  const transport = { send: () => Promise.resolve() }
  recorder.watch({ id: 's', name: 'S' }, transport, () => [])
  const send: (message: object) => Promise<void> = transport.send
  const commands = dataCommands({ db, recorder } as unknown as EngineParts)
  await send({ jsonrpc: '2.0', id: 1, method: 'tools/call' })
  expect((await commands.exportRecordings({})).text).toContain('tools/call')
  await send({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
  await commands.clearRecordings()
  await recorder.flush()
  expect(await db.recordings.count()).toBe(0)
})
