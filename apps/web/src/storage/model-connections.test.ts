import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from './db.ts'
import { createGpts } from './gpts.ts'
import { createModelConnections } from './model-connections.ts'
import { seed } from './seed.ts'

async function begin() {
  const db = new Database(crypto.randomUUID())
  await seed(db, 'http://localhost:1')
  const models = createModelConnections(db)
  const openai = await models.add({
    kind: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    api: 'responses',
  })
  await models.learn(openai.id, { hasKey: true, models: ['a', 'b'], modelsAt: 4 })
  await db.secrets.put({
    id: `modelConnections:${openai.id}:key`,
    version: 2,
    iv: new Uint8Array(12),
    ciphertext: new Uint8Array(20),
    updatedAt: 1,
  })
  return { db, models, id: openai.id }
}

test('what was learnt of a connection is kept', async () => {
  const { models, id } = await begin()
  expect(await models.modelConnection(id)).toMatchObject({ hasKey: true, models: ['a', 'b'], modelsAt: 4 })
  expect((await models.modelConnections()).map(({ kind }) => kind)).toEqual(['practice', 'openai'])
})

test('[I1] a key does not follow its connection to another origin', async () => {
  const { db, models, id } = await begin()
  await models.change(id, { name: 'Mine', baseUrl: 'https://api.openai.com/v2' })
  expect(await models.modelConnection(id)).toMatchObject({ name: 'Mine', hasKey: true })
  expect(await db.secrets.count()).toBe(1)
  await models.change(id, { baseUrl: 'https://evil.example/v1' })
  expect(await models.modelConnection(id)).toMatchObject({ hasKey: false, models: [] })
  expect(await db.secrets.count()).toBe(0)
})

test('the practice model stays as it is', async () => {
  const { models } = await begin()
  await expect(models.remove('practice')).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  await expect(models.change('practice', { name: 'x' })).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  expect(await models.modelConnection('practice')).toMatchObject({ name: 'Practice model', hasKey: false })
})

test('whoever deletes a connection is told how many GPTs use it', async () => {
  const { db, models, id } = await begin()
  await createGpts(db).create({ model: { connectionId: id, modelId: 'a' } })
  expect(await models.remove(id)).toEqual({ gpts: 1 })
  expect(await models.modelConnection(id)).toBeUndefined()
  await models.learn(id, { hasKey: false })
  await models.restore(id)
  expect(await models.modelConnection(id)).toMatchObject({ hasKey: true })
})
