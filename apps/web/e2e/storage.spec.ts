import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Download, Page } from '@playwright/test'
import { call, expect, lastAnswer, press, say, store, test } from './chat-fixtures.ts'
import { hearNewsLate, watchProblems } from './fixtures.ts'
import { newProfile, startKillableBrowser } from './killable-browser.ts'
import { emptyDisk, fillDisk, smallDisk } from './small-disk.ts'

const nothingIsSaved = (page: Page) => page.getByText('Nothing is saved', { exact: true })
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** The practice model has said all it has to say. */
async function answered(page: Page): Promise<void> {
  await expect(lastAnswer(page)).toContainText('Try naming one of them.')
  await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
}

/** A profile in which the user has forbidden all sites to store anything. */
function profileWithoutStorage(): string {
  const profile = newProfile()
  mkdirSync(join(profile, 'Default'))
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences))
  return profile
}

async function inProfile(profile: string, url: string, deed: (page: Page) => Promise<void>): Promise<void> {
  const browser = await startKillableBrowser(profile)
  try {
    const page = await browser.context.newPage()
    await page.goto(url)
    await deed(page)
  } finally {
    await browser.context.close()
  }
}

test('[R-35] where the browser stores nothing the chat works in memory, says so on every screen, and can be backed up', async ({
  companion,
}) => {
  const profile = profileWithoutStorage()
  await inProfile(profile, companion.url, async (page) => {
    const problems = watchProblems(page)
    await expect(nothingIsSaved(page)).toBeVisible()
    await expect(page.getByText('allow site data for this address')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Servers 1 connected' })).toBeVisible()

    await say(page, 'What will the weather be in Lisbon for the next 3 days?')
    await page.getByRole('button', { name: 'Allow once' }).click()
    await expect(lastAnswer(page)).toContainText('Lisbon')
    await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
    await expect(page.getByRole('navigation').getByRole('link', { name: /What will the weather/ })).toBeVisible()

    for (const place of ['servers', 'gpts', 'settings/data', 'tasks', 'messages']) {
      await page.goto(`${companion.origin}/#/${place}`)
      await expect(nothingIsSaved(page)).toBeVisible()
    }
    await page.getByRole('button', { name: 'Save a backup…' }).click()
    await page.getByLabel('A passphrase for this file').fill('correct horse battery')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Make the backup' }).click(),
    ])
    expect((file as Download).suggestedFilename()).toMatch(/\.backup$/)

    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Not yet: ')).toBeVisible()
    expect(problems).toEqual([])
  })
  rmSync(profile, { recursive: true, force: true })
})

const folderOf = (profile: string) => join(profile, 'Default', 'IndexedDB')
const leveldbOf = (profile: string) =>
  join(folderOf(profile), readdirSync(folderOf(profile)).find((name) => name.endsWith('.leveldb')) ?? '')

test('[R-36] a database whose files were destroyed is said as such; the app works, and what was done comes home', async ({
  companion,
}) => {
  const profile = newProfile()
  await inProfile(profile, companion.url, async (page) => {
    await say(page, 'Remember me')
    await answered(page)
  })
  const folder = leveldbOf(profile)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'no folder')

  await inProfile(profile, companion.url, async (page) => {
    await expect(nothingIsSaved(page)).toBeVisible()
    await expect(page.getByText('its files may be damaged')).toBeVisible()
    await say(page, 'Said in memory')
    await answered(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Not yet: ')).toBeVisible()

    rmSync(folder, { force: true })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Everything is saved again')).toBeVisible()
    await expect(nothingIsSaved(page)).toHaveCount(0)
    await expect(page.getByRole('log')).toContainText('Said in memory')
    await say(page, 'Said with a database')
    await expect(page.getByRole('log')).toContainText('Said with a database')
    await answered(page)
    await page.reload()
    await expect(page.getByRole('log')).toContainText('Said in memory')
    await expect(page.getByRole('log')).toContainText('Said with a database')
    await expect(nothingIsSaved(page)).toHaveCount(0)
  })
  rmSync(profile, { recursive: true, force: true })
})

test('[R-36] bytes mutated on the disk: the app never pretends; it goes on, in memory or anew', async ({
  companion,
}) => {
  const profile = newProfile()
  await inProfile(profile, companion.url, async (page) => {
    await say(page, 'Remember me')
    await answered(page)
  })
  const folder = leveldbOf(profile)
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'garbage '.repeat(40))

  await inProfile(profile, companion.url, async (page) => {
    // Whether Chromium throws it away before or after the engine asked for it.
    await expect(page.getByText(/^(Nothing is saved|What was stored here is gone)$/)).toBeVisible()
    await say(page, 'Are you there?')
    await answered(page)
  })
  rmSync(profile, { recursive: true, force: true })
})

test('[R-35] data that is deleted under the app is said as such, and a button starts anew', async ({ app }) => {
  await say(app, 'Remember me')
  await answered(app)
  await app.evaluate(() => void indexedDB.deleteDatabase('switchboard'))
  await expect(app.getByText('Your data is gone from this browser')).toBeVisible()
  await app.getByRole('button', { name: 'Start anew' }).click()
  await expect(composer(app)).toBeVisible()
  await expect(app.getByRole('link', { name: 'Remember me' })).toHaveCount(0)
  await say(app, 'Once more')
  await answered(app)
  await app.reload()
  await expect(app.getByRole('log')).toContainText('Once more')
})

test('[R-35] data that is deleted under the app: it can go on in memory', async ({ app }) => {
  await app.evaluate(() => void indexedDB.deleteDatabase('switchboard'))
  await app.getByRole('button', { name: 'Go on without saving' }).click()
  await expect(nothingIsSaved(app)).toBeVisible()
  await say(app, 'Said in memory')
  await answered(app)
  expect(await app.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).not.toContain(
    'switchboard',
  )
})

const noRoom = (page: Page) => page.getByText(/^There is no room left: .* was not saved$/)
const databases = (page: Page) => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))

smallDisk(
  '[R-33] a full disk: what was typed stays, what was not saved is named, and after pruning it is sent',
  async ({ app, model, openGpt }) => {
    model.follow(() => ({ text: 'Here I am.' }))
    await openGpt()
    await say(app, 'First')
    await expect(lastAnswer(app)).toContainText('Here I am.')
    const recording = { serverId: 's', serverName: 'Notes', at: 1, direction: 'sent', method: 'ping', size: 9 }
    const text = Array.from({ length: 40_000 }, () => Math.random().toString(36).slice(2)).join('')
    await store(app, { recordings: Array.from({ length: 4 }, () => ({ ...recording, text })) })
    await fillDisk(app)

    await say(app, 'Second, which must not be lost')
    await expect(noRoom(app)).toHaveText('There is no room left: your message was not saved')
    await expect(app.getByText(/^This app uses 1\d MB, and there is no place for more\./)).toBeVisible()
    await expect(composer(app)).toHaveValue('Second, which must not be lost')
    expect(model.requests).toHaveLength(1)
    await app.getByRole('button', { name: 'Try again' }).click()
    await expect(app.getByText('There is still no room.')).toBeVisible()

    await app.getByRole('button', { name: 'Free space…' }).click()
    const dialog = app.getByRole('dialog')
    await expect(dialog).toContainText(/\d+ messages, about \d\.\d MB/)
    await dialog.getByText('Messages with servers').click()
    await dialog.getByRole('button', { name: /^Delete \d\.\d MB/ }).click()
    // The browser may take a moment to notice, as the app says: who presses the button again is let through then.
    await expect(async () => {
      if ((await noRoom(app).count()) === 0) return
      await app.getByRole('button', { name: 'Try again' }).click({ timeout: 1_000 })
      await expect(noRoom(app)).toHaveCount(0, { timeout: 2_000 })
    }).toPass()
    await composer(app).press('Enter')
    await expect.poll(() => model.requests.length).toBe(2)
    await expect(app.getByRole('log')).toContainText('Second, which must not be lost')
    await app.reload()
    await expect(app.getByRole('log')).toContainText('Second, which must not be lost')
  },
)

smallDisk(
  '[R-33] a full disk: the chat goes on without saving, with all that is stored, and is saved when there is room',
  async ({ app, model, openGpt }) => {
    model.follow(() => ({ text: 'Here I am.' }))
    await openGpt()
    await say(app, 'First')
    await expect(lastAnswer(app)).toContainText('Here I am.')
    await fillDisk(app)
    await say(app, 'Second')
    await app.getByRole('button', { name: 'Go on without saving' }).click()
    await expect(nothingIsSaved(app)).toBeVisible()
    await expect(app.getByRole('log')).toContainText('First')
    await expect(composer(app)).toHaveValue('Second')
    await composer(app).press('Enter')
    await expect.poll(() => model.requests.length).toBe(2)
    await expect(app.getByRole('log')).toContainText('Second')
    await expect(lastAnswer(app)).toContainText('Here I am.')
    // While an answer is being written, nothing can be moved.
    await expect(app.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)

    // The browser tidies up its files now and then, which may have made room.
    await fillDisk(app)
    await app.getByRole('button', { name: 'Try again' }).click()
    await expect(app.getByText('Not yet: The browser has no room left')).toBeVisible()
    await emptyDisk(app)
    await app.getByRole('button', { name: 'Try again' }).click()
    await expect(app.getByText('Everything is saved again')).toBeVisible()
    await expect(nothingIsSaved(app)).toHaveCount(0)
    await app.reload()
    await expect(app.getByRole('log')).toContainText('Second')
    await expect(lastAnswer(app)).toContainText('Here I am.')
  },
)

smallDisk(
  '[R-33] a disk that fills up while a tool runs: how it ended is written into the reserve, and it never runs again',
  async ({ app, model, server, openGpt }) => {
    model.follow([{ calls: [call('slow', { mark: 'one' })] }, { text: 'It is done.' }])
    await openGpt()
    await say(app, 'Do one')
    await press(app, 'Allow once')
    await server.untilRun('slow', 1)
    await expect.poll(() => databases(app)).toContain('switchboard-reserve')
    await fillDisk(app)
    server.release()
    await expect.poll(() => databases(app)).not.toContain('switchboard-reserve')
    await expect(lastAnswer(app)).toContainText('It is done.')
    await app.reload()
    await expect(app.getByRole('log').locator('summary').first()).toBeVisible()
    await expect(app.getByText('It may have run')).toHaveCount(0)
    expect(server.ledger.executionsOf('slow')).toBe(1)
  },
)

/** A tab of this address that does not run the app: what it does to the database is the test's. */
async function strangeTab(app: Page): Promise<Page> {
  const tab = await app.context().newPage()
  await tab.goto(`${new URL(app.url()).origin}/oauth/callback.html`)
  return tab
}

/** Opens the database of the app in this version, and holds it; without minding what others want where `isDeaf`. */
const hold = (tab: Page, version: number, isDeaf: boolean): Promise<void> =>
  tab.evaluate(
    ({ number, deaf }) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('switchboard', number)
        opening.onerror = () => reject(new Error(opening.error?.message))
        opening.onblocked = () => reject(new Error('blocked'))
        opening.onupgradeneeded = () => {
          const names = opening.result.objectStoreNames
          if (!names.contains('gpts')) opening.result.createObjectStore('gpts', { keyPath: 'id' })
        }
        opening.onsuccess = () => {
          Object.assign(window, { held: opening.result })
          if (!deaf) opening.result.onversionchange = () => opening.result.close()
          resolve()
        }
      }),
    { number: version, deaf: isDeaf },
  )

test('[R-34] a newer version in another tab gets the database at once; this tab says to reload, and touches nothing', async ({
  app,
}) => {
  await say(app, 'Remember me')
  await answered(app)
  const newer = await strangeTab(app)
  // Not blocked: the old tab let go by itself.
  await hold(newer, 990, false)
  await expect(app.getByText('A newer version of the app is open')).toBeVisible()
  await expect(app.getByText('Reload this one.')).toBeVisible()

  await app.getByRole('button', { name: 'Reload the page' }).click()
  await expect(app.getByText('This version of the app is too old for your data')).toBeVisible()
  const [file] = await Promise.all([
    app.waitForEvent('download'),
    app.getByRole('button', { name: 'Save what can be read' }).click(),
  ])
  expect(readFileSync(await (file as Download).path(), 'utf8')).toContain('Remember me')
  const versions = await newer.evaluate(async () =>
    (await indexedDB.databases()).find((one) => one.name === 'switchboard'),
  )
  expect(versions?.version).toBe(990)
})

test('[R-34] an old tab that does not let go: after 5 s the new one says which tabs to close, and goes on when they are', async ({
  page,
  companion,
}) => {
  await page.goto(`${companion.origin}/oauth/callback.html`)
  // Version 1 of the app, which counted in tens.
  await hold(page, 10, true)
  const app = await page.context().newPage()
  await app.goto(companion.url)
  await expect(app.getByText('Another tab is in the way')).toBeVisible()
  await expect(app.getByText(`Close every other tab whose address begins with ${companion.origin}`)).toBeVisible()
  await page.close()
  await app.getByRole('button', { name: 'Try again' }).click()
  await expect(composer(app)).toBeVisible()
  await expect(app.getByRole('link', { name: 'Servers 1 connected' })).toBeVisible()
})

test('[R-36] a browser that is killed in the middle of a migration has all rows as they were', async ({
  companion,
}) => {
  const first = await startKillableBrowser()
  const page = await first.context.newPage()
  await page.goto(companion.url)
  await say(page, 'Remember me')
  await answered(page)
  const tab = await strangeTab(page)
  // A migration that has destroyed half of it, and is not done.
  await tab.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('switchboard', 990)
        opening.onupgradeneeded = () => {
          opening.result.deleteObjectStore('gpts')
          const messages = opening.transaction?.objectStore('messages')
          const goOn = () => {
            const cleared = messages?.clear()
            if (cleared) cleared.onsuccess = goOn
          }
          goOn()
          resolve()
        }
      }),
  )
  await first.kill()

  await inProfile(first.profile, companion.url, async (again) => {
    await again.getByRole('link', { name: 'Remember me' }).click()
    await expect(again.getByRole('log')).toContainText('Remember me')
    await answered(again)
    const found = await again.evaluate(async () =>
      (await indexedDB.databases()).find((one) => one.name === 'switchboard'),
    )
    expect(found?.version).toBeLessThan(990)
  })
  first.remove()
})

test.describe('a row that fits no schema', () => {
  test.use({ expectedProblems: /TypeError/ })
  test('[R-36] what can be read is saved as a file without keys, the app starts anew, and the file comes back without that row', async ({
    app,
  }) => {
    await say(app, 'Remember me')
    await answered(app)
    await store(app, { gpts: [{ id: 'no GPT at all' }], secrets: [{ id: 'c4n4ry' }] })
    // Also that the new database is not the old one.
    await hearNewsLate(app)
    await app.reload()
    await expect(app.getByText('This screen broke')).toBeVisible()
    const [file] = await Promise.all([
      app.waitForEvent('download'),
      app.getByRole('button', { name: 'Save what can be read' }).click(),
    ])
    await expect(app.getByText('The file is not sealed')).toBeVisible()
    const path = await (file as Download).path()
    expect(readFileSync(path, 'utf8')).toContain('Remember me')
    expect(readFileSync(path, 'utf8')).not.toMatch(/c4n4ry|"secrets"|"vault"|"slots"/)

    await app.getByRole('button', { name: 'Start anew…' }).click()
    await app.getByRole('button', { name: 'Delete it and start anew' }).click()
    await expect(composer(app)).toBeVisible()
    await expect(app.getByRole('link', { name: 'Remember me' })).toHaveCount(0)

    await app.goto(`${new URL(app.url()).origin}/#/settings/data`)
    const [chooser] = await Promise.all([
      app.waitForEvent('filechooser'),
      app.getByRole('button', { name: 'Restore a backup…' }).click(),
    ])
    await chooser.setFiles({ name: 'x.rescue.json', mimeType: 'application/json', buffer: readFileSync(path) })
    await expect(app.getByRole('dialog')).toContainText('1 GPT, 1 conversation')
    await app.getByRole('button', { name: 'Replace everything with it' }).click()
    await app.getByRole('link', { name: 'Remember me' }).click()
    await expect(app.getByRole('log')).toContainText('Remember me')
  })
})

test('[R-36] a migration that stopped half way, with a table missing, is completed, and no row is lost', async ({
  app,
}) => {
  await say(app, 'Remember me')
  await answered(app)
  const tab = await strangeTab(app)
  await tab.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('switchboard', 31)
        opening.onupgradeneeded = () => opening.result.deleteObjectStore('toolLedger')
        opening.onsuccess = () => {
          opening.result.close()
          resolve()
        }
        opening.onerror = () => reject(new Error(opening.error?.message))
      }),
  )
  await app.getByRole('button', { name: 'Reload the page' }).click()
  await expect(app.getByRole('log')).toContainText('Remember me')
  await say(app, 'And this')
  await expect(app.getByRole('log')).toContainText('And this')
  await app.getByRole('link', { name: 'Servers 1 connected' }).click()
  await expect(app.getByRole('heading', { name: 'Demo tools' })).toBeVisible()
})

test('[R-35] the browser is asked to keep the data when the user adds a first server; until it agrees, backups are recommended', async ({
  app,
  server,
}) => {
  await app.evaluate(() => {
    const asked = { times: 0 }
    Object.assign(window, { asked })
    navigator.storage.persist = () => {
      asked.times += 1
      return Promise.resolve(false)
    }
  })
  const times = () => app.evaluate(() => (window as unknown as { asked: { times: number } }).asked.times)
  await app.goto(`${new URL(app.url()).origin}/#/settings/data`)
  await expect(app.getByText('make a backup now and then')).toBeVisible()
  expect(await times()).toBe(0)
  await app.goto(`${new URL(app.url()).origin}/#/servers/new`)
  await app.getByLabel('Address').fill(server.url)
  await expect(app.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem')).toHaveCount(5)
  await app.getByRole('button', { name: 'Save' }).click()
  await expect.poll(times).toBe(1)
})
