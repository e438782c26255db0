import type { Page } from '@playwright/test'
import { expect, hearAnswersLate, hearNewsLate, test } from './fixtures.ts'

const ROUNDS = 8
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** Types without any pause, on into the screen of the chat that Enter begins. */
async function typeOn(page: Page, rest: string): Promise<void> {
  await page.getByRole('link', { name: 'New chat' }).click()
  await expect(page).toHaveURL(/\/gpt\/[^/]+\/new$/)
  await composer(page).fill('')
  await page.keyboard.type(`ab\n${rest}`)
  await expect(page).toHaveURL(/\/chat\//)
  await expect(page.getByRole('article', { name: 'You' })).toContainText('ab')
  await expect(composer(page)).toHaveValue(rest)
}

test('keys typed right after Enter keep their order in the new chat', async ({ app }) => {
  for (let round = 0; round < ROUNDS; round += 1) await typeOn(app, 'c d e f g h i j'.repeat(1 + round))
})

test('they do where the engine answers late, and where rows are seen late', async ({ context, companion }) => {
  for (const beLate of [hearAnswersLate, hearNewsLate]) {
    const page = await context.newPage()
    await beLate(page)
    await page.goto(companion.url)
    await expect(composer(page)).toBeVisible()
    for (const rest of ['c d e', 'c d e f g h i j'.repeat(20)]) await typeOn(page, rest)
    await page.close()
  }
})

test('keys typed right after Enter keep their order in a chat that goes on', async ({ app }) => {
  await composer(app).fill('Hello')
  await app.keyboard.press('Enter')
  await expect(app).toHaveURL(/\/chat\//)
  for (let round = 0; round < ROUNDS; round += 1) {
    await expect(app.getByRole('button', { name: 'Send' })).toBeVisible()
    await composer(app).fill('')
    await app.keyboard.type(`ab${round}\nc d e f`)
    await expect(app.getByRole('article', { name: 'You' }).last()).toContainText(`ab${round}`)
    await expect(composer(app)).toHaveValue('c d e f')
  }
})
