import type { Page } from '@playwright/test'
import { expect, say, test } from './fixtures.ts'
import { rowsOf } from './chat-fixtures.ts'

/** The smallest picture there is. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const card = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: name, has: page.getByRole('link') })

async function choose(page: Page, gpt: string, deed: string): Promise<void> {
  await page.getByRole('button', { name: `What to do with ${gpt}`, exact: true }).click()
  await page.getByRole('menuitem', { name: deed, exact: true }).click()
}

async function makeGpt(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'GPTs', exact: true }).click()
  await page.getByRole('button', { name: 'New GPT' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

test('a GPT is made and saves itself as one types: name, picture, words, starters; a reload finds it all', async ({
  app,
}) => {
  await makeGpt(app, 'Trip planner')
  await app.getByRole('textbox', { name: 'Description' }).fill('Plans trips')
  await app.getByRole('textbox', { name: 'Instructions' }).fill('Ask for dates first.')
  await app.getByRole('button', { name: 'Add a starter' }).click()
  await app.getByRole('textbox', { name: 'Starter 1' }).fill('Where shall I go in May?')
  await app.locator('input[type=file]').setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: PIXEL })
  await app.getByRole('textbox', { name: 'Instructions' }).focus()
  await expect(app.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await expect
    .poll(
      async () =>
        (await rowsOf<{ name: string; icon: string }>(app, 'gpts')).find((one) => one.name === 'Trip planner')?.icon,
    )
    .toMatch(/^data:image\//)
  await app.reload()
  await expect(app.getByRole('textbox', { name: 'Name' })).toHaveValue('Trip planner')
  await expect(app.getByRole('textbox', { name: 'Description' })).toHaveValue('Plans trips')
  await expect(app.getByRole('textbox', { name: 'Instructions' })).toHaveValue('Ask for dates first.')
  await app.getByRole('link', { name: 'Try it' }).click()
  await expect(app.getByRole('button', { name: 'Where shall I go in May?' })).toBeVisible()
})

test('what is typed in the moment before a reload is there after it, and is saved then', async ({ app }) => {
  await makeGpt(app, 'Hurried')
  await expect.poll(async () => JSON.stringify(await rowsOf(app, 'gpts'))).toContain('Hurried')
  for (const words of ['One', 'Two', 'Three']) {
    await app.getByRole('textbox', { name: 'Instructions' }).fill(words)
    await app.reload()
    await expect(app.getByRole('textbox', { name: 'Instructions' })).toHaveValue(words)
    await expect.poll(async () => JSON.stringify(await rowsOf(app, 'gpts'))).toContain(`"instructions":"${words}"`)
  }
  // A page that was left with everything saved leaves nothing behind.
  await app.reload()
  await expect(app.getByRole('textbox', { name: 'Instructions' })).toHaveValue('Three')
  expect(await app.evaluate(() => Object.keys(sessionStorage))).toEqual([])
})

test('a name that is empty is not saved, says so, and the last one stays', async ({ app }) => {
  await makeGpt(app, 'Namesake')
  await expect.poll(async () => JSON.stringify(await rowsOf(app, 'gpts'))).toContain('Namesake')
  await app.getByRole('textbox', { name: 'Name' }).fill('')
  await app.getByRole('textbox', { name: 'Instructions' }).focus()
  await expect(
    app
      .getByRole('alert')
      .or(app.getByText(/needs? a name/i))
      .first(),
  ).toBeVisible()
  await app.getByRole('link', { name: 'GPTs', exact: true }).click()
  await expect(card(app, 'Namesake')).toHaveCount(1)
})

test('duplicated, archived and brought back', async ({ app }) => {
  await makeGpt(app, 'Original')
  await app.getByRole('textbox', { name: 'Instructions' }).fill('Be brief.')
  await app.getByRole('textbox', { name: 'Name' }).focus()
  await expect(app.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await app.getByRole('link', { name: 'GPTs', exact: true }).click()
  await choose(app, 'Original', 'Duplicate')
  await expect(app.getByRole('textbox', { name: 'Instructions' })).toHaveValue('Be brief.')
  await app.getByRole('textbox', { name: 'Name' }).fill('The other')
  await expect(app.getByRole('heading', { level: 1, name: 'The other' })).toBeVisible()
  await app.getByRole('textbox', { name: 'Instructions' }).focus()
  await app.getByRole('link', { name: 'GPTs', exact: true }).click()
  await expect(card(app, 'Original')).toHaveCount(1)
  await choose(app, 'Original', 'Archive')
  await expect(app.getByText('1 archived GPT')).toBeVisible()
  await app.getByText('1 archived GPT').click()
  await choose(app, 'Original', 'Take out of the archive')
  await expect(app.getByText('1 archived GPT')).toHaveCount(0)
  await expect(card(app, 'Original')).toHaveCount(1)
})

test('deleted, with what else goes; one click brings it back with its chats', async ({ app }) => {
  await makeGpt(app, 'Passing')
  await app.getByRole('link', { name: 'Try it' }).click()
  await say(app, 'Hello')
  await expect(app.getByRole('log').getByRole('article').last()).toContainText('practice model')
  await app.getByRole('link', { name: 'GPTs', exact: true }).click()
  await choose(app, 'Passing', 'Delete')
  await expect(app.getByText('Deleted “Passing” and 1 conversation.')).toBeVisible()
  await expect(card(app, 'Passing')).toHaveCount(0)
  await expect(app.getByRole('navigation').getByRole('link', { name: 'Hello' })).toHaveCount(0)
  await app.getByRole('button', { name: 'Undo' }).click()
  await expect(card(app, 'Passing')).toHaveCount(1)
  await expect(app.getByRole('navigation').getByRole('link', { name: 'Hello' })).toBeVisible()
})
