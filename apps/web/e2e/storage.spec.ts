import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Download, Page } from '@playwright/test'
import { expect, lastAnswer, say, test } from './chat-fixtures.ts'
import { watchProblems } from './fixtures.ts'
import { newProfile, startKillableBrowser } from './killable-browser.ts'

const nothingIsSaved = (page: Page) => page.getByText('Nothing is saved', { exact: true })
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })

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
    await expect(page.getByText('It still does not work')).toBeVisible()
    expect(problems).toEqual([])
  })
  rmSync(profile, { recursive: true, force: true })
})
