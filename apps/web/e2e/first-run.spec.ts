import { callLine, lastAnswer } from './chat-fixtures.ts'
import { expect, test } from './fixtures.ts'

test('a newcomer without a key asks, is asked, allows by keyboard, and sees the answer used', async ({ app }) => {
  await expect(app.getByText('it works offline and costs nothing')).toBeVisible()
  await app.getByRole('button', { name: 'What will the weather be in Lisbon for the next 3 days?' }).click()

  const question = app.getByRole('region', { name: 'Forecast asks for your permission' })
  await expect(question).toContainText('forecast of Demo tools')
  await expect(question.getByRole('term')).toHaveText(['city', 'days'])
  await expect(question.getByRole('definition')).toHaveText(['"Lisbon"', '3'])
  const allow = question.getByRole('button', { name: 'Allow once' })
  await expect(allow).toBeFocused()
  await expect(allow).not.toHaveAttribute('aria-disabled', 'true')
  await app.keyboard.press('Enter')

  await expect(callLine(app, 'Forecast')).toContainText('allowed once')
  await expect(lastAnswer(app).getByRole('table')).toBeVisible()
  await expect(lastAnswer(app)).toContainText('Lisbon')
  await expect(app.getByRole('textbox', { name: 'Message' })).toBeFocused()

  await expect(app.getByText('That was a tool of a server')).toBeVisible()
  await app.getByRole('button', { name: 'Got it' }).click()
  await expect(app.getByText('That was a tool of a server')).toBeHidden()
})
