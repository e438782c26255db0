import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from './db.ts'
import { createGrants } from './grants.ts'
import { grantOf } from './sample-rows.ts'

const begin = () => createGrants(new Database(crypto.randomUUID()))

test('the same grant is kept once, and one for another definition beside it', async () => {
  const grants = begin()
  const first = grantOf()
  await grants.addGrant(first)
  await grants.addGrant(grantOf())
  const others = [grantOf({ fingerprint: 'g' }), grantOf({ scope: 'gpt', scopeId: 'x' }), grantOf({ endpoint: 'e' })]
  for (const grant of others) await grants.addGrant(grant)
  const ids = (await grants.grantsFor(['server'])).map(({ id }) => id)
  expect(ids.sort()).toEqual([first, ...others].map(({ id }) => id).sort())
  expect(await grants.grantsFor(['other'])).toEqual([])
})

test('grants are taken back one by one, or all', async () => {
  const grants = begin()
  const [one, two, three] = [grantOf(), grantOf({ toolName: 'b' }), grantOf({ toolName: 'c' })]
  for (const grant of [one, two, three]) await grants.addGrant(grant)
  await grants.revoke(one.id)
  expect(await grants.grantsFor(['server'])).toHaveLength(2)
  await grants.revokeAll()
  expect(await grants.grantsFor(['server'])).toEqual([])
})
