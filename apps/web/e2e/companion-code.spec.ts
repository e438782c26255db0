import type { Page } from '@playwright/test'
import { expect, test, watchProblems } from './fixtures.ts'

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

const notConnected = (page: Page) => page.getByText('This page isn’t connected to the companion')

test('without a code, the servers screen says why programs are missing and how to connect', async ({
  page,
  companion,
}) => {
  const problems = watchProblems(page)
  await page.goto(`${new URL(companion.url).origin}/#/servers`)
  await expect(programs(page)).toBeVisible()
  await expect(notConnected(page)).toBeVisible()
  const section = page.getByRole('main')
  await expect(section).toContainText('from a bookmark')
  await expect(section).toContainText('open the newest address')
  expect(problems).toEqual([])
})

test("[A7.5] of the companion's token, and of the code that is changed for it, the page keeps nothing that a script could read", async ({
  page,
  companion,
}) => {
  const { url } = companion
  expect(url).not.toContain(companion.token)
  const secret = new RegExp([companion.token, new URL(url).hash.slice('#code='.length)].join('|'))
  await page.goto(url)
  await page.getByRole('link', { name: 'Servers' }).click()
  await expect(programs(page)).toBeVisible()
  expect(await traces(page)).not.toMatch(secret)
  await page.reload()
  await expect(programs(page)).toBeVisible()
  expect(await traces(page)).not.toMatch(secret)
})

test('the address that the companion prints may be opened in a tab that shows the app already', async ({
  page,
  companion,
}) => {
  const { origin } = new URL(companion.url)
  await page.goto(`${origin}/#/servers`)
  await expect(page.getByRole('heading', { name: 'Demo tools' })).toBeVisible()
  await expect(notConnected(page)).toBeVisible()
  await page.goto(companion.url)
  await expect(programs(page)).toBeVisible()
  await expect(notConnected(page)).toHaveCount(0)
  await expect(page).toHaveURL(`${origin}/#/servers`)
  expect(await traces(page)).not.toContain(companion.token)
})

test('an address lets in once: whoever finds it in the history of the browser finds nothing', async ({
  page,
  browser,
  companion,
}) => {
  const { url } = companion
  await page.goto(url)
  await page.getByRole('link', { name: 'Servers' }).click()
  await expect(programs(page)).toBeVisible()

  await page.goto(url)
  await page.getByRole('link', { name: 'Servers' }).click()
  await expect(programs(page), 'the browser that it let in').toBeVisible()
  await expect(notConnected(page)).toHaveCount(0)
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(url)
  await stranger.getByRole('link', { name: 'Servers' }).click()
  await expect(stranger.getByRole('heading', { name: 'Demo tools' })).toBeVisible()
  await expect(notConnected(stranger)).toBeVisible()
  await stranger.context().close()
})
