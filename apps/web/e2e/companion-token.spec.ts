import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Everything a script in the page can read of where it is and how it got there. */
const traces = (page: Page) =>
  page.evaluate(() => {
    const { activation } = navigation as unknown as { activation?: { entry?: { url: string }; from?: { url: string } } }
    return JSON.stringify([
      document.URL,
      document.referrer,
      window.name,
      history.state,
      navigation.entries().map(({ url }) => url),
      activation?.entry?.url,
      activation?.from?.url,
      performance.getEntries().map(({ name }) => name),
      Object.entries(localStorage),
      Object.entries(sessionStorage),
    ])
  })

/** Shown on the screen of the servers, where the companion lets the app in. */
const programs = (page: Page) => page.getByRole('heading', { name: 'Programs on this computer' })

test('[A7.5] of the token that the companion opens the app with, the page keeps nothing that a script could read', async ({
  app,
  companion,
}) => {
  expect(companion.url).toContain(companion.token)
  expect(await traces(app)).not.toContain(companion.token)
  await app.getByRole('link', { name: 'Servers' }).click()
  await expect(programs(app)).toBeVisible()
  await app.reload()
  await expect(programs(app)).toBeVisible()
  expect(await traces(app)).not.toContain(companion.token)
})

test('the address that the companion prints may be opened in a tab that shows the app already', async ({
  page,
  companion,
}) => {
  const { origin } = new URL(companion.url)
  await page.goto(`${origin}/#/servers`)
  await expect(page.getByRole('heading', { name: 'Demo tools' })).toBeVisible()
  await expect(programs(page)).toHaveCount(0)
  await page.goto(companion.url)
  await expect(programs(page)).toBeVisible()
  await expect(page).toHaveURL(`${origin}/#/servers`)
  expect(await traces(page)).not.toContain(companion.token)
})
