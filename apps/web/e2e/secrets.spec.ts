import type { Page } from '@playwright/test'
import { canariesIn, canariesUnder, canary } from './canaries.ts'
import { approval, expect, lastAnswer, press, say } from './chat-fixtures.ts'
import { type KillableBrowser, startKillableBrowser } from './killable-browser.ts'
import {
  connectModel,
  connectServers,
  keyedServers,
  openServers,
  setPassphrase,
  test as keyed,
  unlock,
  useKeyed,
} from './keyed-fixtures.ts'

const test = keyed.extend<{ killable: KillableBrowser }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  killable: async ({}, use) => {
    const browser = await startKillableBrowser()
    await use(browser)
    await browser.context.close()
    browser.remove()
  },
})
test.slow()

/** What the page and its engine wrote to the console. */
function heard(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  page.on('pageerror', (error) => lines.push(`${error.message} ${error.stack}`))
  return lines
}

/** What a chat is exported as. */
async function exported(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: 'This chat' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: `Export as ${format}` }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

for (const protection of ['passphrase', 'device'] as const) {
  test(`nothing secret is in the profile after the power was cut, with ${protection === 'passphrase' ? 'a passphrase' : "the device's own key"}`, async ({
    killable,
    companion,
    secrets,
    keyedModel,
    keyedServer,
  }) => {
    const { context, profile } = killable
    const said = canary('said')
    const hidden = { ...secrets, 'the token of the companion': companion.token }
    const page = context.pages()[0] ?? (await context.newPage())
    const log = heard(page)
    await page.goto(companion.url)
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    expect(page.url()).not.toContain(companion.token)

    if (protection === 'passphrase') await setPassphrase(page, secrets.passphrase)
    await connectModel(page, keyedModel.url, secrets.modelKey)
    await connectServers(page, keyedServer.url, secrets)
    keyedModel.follow([
      { calls: keyedServers.map((name) => ({ name: `${name.toLowerCase()}__note`, input: { text: said } })) },
      { text: 'All three are kept.' },
    ])
    await useKeyed(page)
    await say(page, `Keep ${said}`)
    await expect(approval(page)).toContainText('3 tools ask for your permission')
    await press(page, 'Allow all 3 once')
    await expect(lastAnswer(page)).toContainText('All three are kept.')
    expect(keyedServer.ledger.executionsOf('note')).toBe(3)
    await lastAnswer(page).locator('summary').first().click()
    await lastAnswer(page).locator('summary').nth(1).click()
    await page.getByRole('button', { name: 'Raw messages' }).click()
    await expect(page.getByText('"method":"tools/call"')).toBeVisible()
    expect(canariesIn(await page.content(), hidden), 'the page').toEqual([])

    for (const format of ['Markdown', 'JSON']) {
      const text = await exported(page, format)
      expect(text).toContain(said)
      expect(canariesIn(text, hidden), `the export as ${format}`).toEqual([])
    }
    if (protection === 'passphrase') {
      await page.getByRole('button', { name: 'Lock the vault' }).click()
      await unlock(page, secrets.passphrase)
      // Without the fragment: the companion gives its token again for the proof in the vault and its cookie.
      await page.reload()
      await unlock(page, secrets.passphrase)
    }
    await openServers(page)
    for (const name of keyedServers)
      await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('· connected ·')
    expect(canariesIn(log.join('\n'), hidden), 'the console').toEqual([])

    await killable.kill()
    expect(canariesUnder(profile, { said }).length, 'what was said is found, so a secret would be').toBeGreaterThan(0)
    expect(canariesUnder(profile, hidden)).toEqual([])
  })
}
