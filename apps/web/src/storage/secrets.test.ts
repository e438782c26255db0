import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from './db.ts'
import { createSecrets } from './secrets.ts'

const sealed = (id: string) => ({
  id,
  version: 1,
  iv: new Uint8Array(12),
  ciphertext: new Uint8Array(20),
  updatedAt: 1,
})

test('a change that was decided from an older revision is not stored, and nothing of it is', async () => {
  const db = new Database(crypto.randomUUID())
  const secrets = createSecrets(db)
  expect(await secrets.commit(0, { record: { revision: 1 }, put: [sealed('a')] })).toBe(true)
  expect(await secrets.commit(1, { record: { revision: 2 }, put: [sealed('b')] })).toBe(true)
  expect(await secrets.commit(1, { record: { revision: 2 }, put: [sealed('c')], remove: ['a', 'b'] })).toBe(false)
  expect(await secrets.commit(0, { record: { revision: 1 } })).toBe(false)
  expect(await secrets.read()).toEqual({ record: { revision: 2 }, sealed: [sealed('a'), sealed('b')] })
})

test('of two that decide from the same revision, one stores', async () => {
  const secrets = createSecrets(new Database(crypto.randomUUID()))
  const both = await Promise.all([
    secrets.commit(0, { record: { revision: 1 }, put: [sealed('a')] }),
    secrets.commit(0, { record: { revision: 1 }, put: [sealed('b')] }),
  ])
  expect(both).toEqual([true, false])
  expect((await secrets.read()).sealed).toEqual([sealed('a')])
})

test('secrets are read by id, or all of them', async () => {
  const secrets = createSecrets(new Database(crypto.randomUUID()))
  await secrets.commit(0, { record: { revision: 1 }, put: [sealed('a'), sealed('b')] })
  expect((await secrets.read(['b', 'nobody'])).sealed).toEqual([sealed('b')])
  expect((await secrets.read([])).sealed).toEqual([])
  expect((await secrets.read()).sealed).toHaveLength(2)
})
