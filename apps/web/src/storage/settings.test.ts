import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { Database } from './db.ts'
import { createDrafts } from './drafts.ts'
import { draft } from './live.ts'
import { createSettings } from './settings.ts'

test('a setting has its default until it is set', async () => {
  const settings = createSettings(new Database(crypto.randomUUID()))
  expect(await settings.setting('theme')).toBe('system')
  await settings.save('theme', 'dark')
  expect(await settings.setting('theme')).toBe('dark')
  expect(await settings.settings()).toMatchObject({ theme: 'dark', idleLockMinutes: 15 })
})

test('the row of the vault can be neither read nor written as a setting', async () => {
  const db = new Database(crypto.randomUUID())
  await db.settings.put({ key: 'vault', value: { revision: 1 } })
  const settings = createSettings(db)
  expect(await settings.settings()).not.toHaveProperty('vault')
  for (const key of ['vault', 'seeded', '__proto__', 'constructor'])
    await expect(settings.save(key as 'theme', 'dark')).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  expect(await db.settings.toArray()).toEqual([{ key: 'vault', value: { revision: 1 } }])
})

test('a value that a setting cannot have is refused', async () => {
  const settings = createSettings(new Database(crypto.randomUUID()))
  await expect(settings.save('idleLockMinutes', 0)).rejects.toMatchObject({
    failure: { message: 'The setting was not saved: its idleLockMinutes is too small, the least is 1.' },
  })
  await expect(settings.save('theme', 'pink' as 'dark')).rejects.toMatchObject({ failure: { code: 'bad-input' } })
  await expect(settings.save('sidebarOpen', 'yes' as unknown as boolean)).rejects.toMatchObject({
    failure: { message: 'The setting was not saved: its sidebarOpen is not of type boolean.' },
  })
})

test('a draft is kept until it is empty', async () => {
  const db = new Database(crypto.randomUUID())
  await createDrafts(db).save('c', 'some words')
  expect(await draft(db, 'c')).toBe('some words')
  await createDrafts(db).save('c', '')
  expect(await draft(db, 'c')).toBe('')
  expect(await db.drafts.count()).toBe(0)
})
