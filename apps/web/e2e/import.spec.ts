import type { Page } from '@playwright/test'
import type { Server } from '#domain/server.ts'
import { configurations, type SampleConfiguration } from '../src/domain/fixtures/configurations.ts'
import { expect, test } from './fixtures.ts'

// Nobody is at these addresses, which the browser notes too.
test.use({ expectedProblems: /Failed to load resource|ERR_|blocked by CORS policy/ })
test.slow()

interface Kept {
  servers: Server[]
  /** The ids of what is in the vault. */
  sealed: string[]
  /** Everything that is stored, as text. */
  all: string
}

/** All that the app has stored. */
const keptIn = (page: Page): Promise<Kept> =>
  page.evaluate(
    () =>
      new Promise<{ servers: Server[]; sealed: string[]; all: string }>((resolve, reject) => {
        const opening = indexedDB.open('switchboard')
        opening.onerror = () => reject(new Error(opening.error?.message))
        opening.onsuccess = () => {
          const database = opening.result
          const names = [...database.objectStoreNames]
          const reading = database.transaction(names)
          const tables = new Map<string, unknown[]>()
          for (const name of names) {
            const asked = reading.objectStore(name).getAll()
            asked.onsuccess = () => tables.set(name, asked.result as unknown[])
          }
          reading.onerror = () => reject(new Error(reading.error?.message))
          reading.oncomplete = () => {
            database.close()
            resolve({
              servers: tables.get('mcpServers') as Server[],
              sealed: (tables.get('secrets') as { id: string }[]).map(({ id }) => id),
              all: JSON.stringify([...tables]),
            })
          }
        }
      }),
  )

/** What the fixture says, in the words of a record. */
const asStored = ({ stored }: SampleConfiguration) =>
  stored.map(({ headerNames = [], timeoutSeconds = 30, enabled = true, sealed = [], ...said }) => ({
    ...said,
    headerNames,
    timeoutSeconds,
    enabled,
    sealed,
    trusted: false,
    sampling: false,
    relay: false,
    transport: 'streamable-http',
  }))

const recordOf = (server: Server, sealed: readonly string[]) => {
  const { name, url, authentication, headerNames, timeoutSeconds, enabled, trusted, sampling, relay, transport } =
    server
  const fields = sealed.flatMap((id) => {
    const [table, owner, field] = id.split(':')
    return table === 'mcpServers' && owner === server.id && field !== undefined ? [field] : []
  })
  return {
    name,
    url,
    authentication,
    headerNames,
    timeoutSeconds,
    enabled,
    sealed: fields,
    trusted,
    sampling: sampling ?? false,
    relay,
    transport,
  }
}

test('each of the files that other clients write is imported, and what is stored is what was said of it', async ({
  app,
}) => {
  for (const sample of configurations) {
    const { file, text, format, servers, needs = [], left = [], stored } = sample
    await test.step(file, async () => {
      const before = await keptIn(app)
      await app.goto(`${new URL(app.url()).origin}/#/servers/new`)
      await app.getByLabel('Address, configuration file or command').fill(text)
      const main = app.getByRole('main')
      await expect(main).toContainText(format)
      for (const sentence of [...needs, ...left]) await expect(main).toContainText(sentence)
      const isForm = servers.length === 1
      if (isForm) {
        await expect(app.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(servers[0]?.[0] ?? '')
        await app.getByRole('button', { name: 'Save', exact: true }).click()
      } else {
        for (const [name] of servers) {
          const box = app.getByRole('checkbox', { name: new RegExp(`^${name}\\b`) })
          if (stored.some((one) => one.name === name)) await expect(box).toBeChecked()
          else await expect(box).toBeDisabled()
        }
        if (stored.length === 0) {
          await expect(app.getByRole('button', { name: /^Add/ })).toHaveCount(0)
          return
        }
        await app.getByRole('button', { name: /^Add/ }).click()
      }
      await expect(app.getByRole('heading', { level: 1, name: 'Servers' })).toBeVisible()
      const after = await keptIn(app)
      const added = after.servers.filter(({ id }) => !before.servers.some((one) => one.id === id))
      expect(added.map((server) => recordOf(server, after.sealed)).sort(byName)).toEqual(asStored(sample).sort(byName))
      for (const server of stored)
        await expect(
          app.getByRole('listitem').filter({ has: app.getByRole('link', { name: server.name, exact: true }) }),
        ).toContainText(server.enabled === false ? 'switched off' : new URL(server.url).host)
    })
  }
  const { all } = await keptIn(app)
  for (const secret of configurations.flatMap(({ secrets = [] }) => secrets.filter((one) => one.startsWith('canary'))))
    expect(all).not.toContain(secret)
})

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)
