import { act, callLine, lastAnswer, press } from './chat-fixtures.ts'
import { expect, hearAnswersLate, test } from './fixtures.ts'

test('a newcomer without a key asks, is asked, allows by keyboard, and sees the answer used', async ({ app }) => {
  await expect(app.getByText('it works offline and costs nothing')).toBeVisible()
  await app.getByRole('button', { name: 'What will the weather be in Lisbon for the next 3 days?' }).click()

  const question = app.getByRole('region', { name: 'Forecast asks for your permission' })
  await expect(question).toContainText('forecast of Demo tools')
  await expect(question.getByRole('term')).toHaveText(['city', 'days'])
  await expect(question.getByRole('definition')).toHaveText(['"Lisbon"', '3'])
  const allow = question.getByRole('button', { name: 'Allow once' })
  await app.keyboard.press('F6')
  await expect(question).toBeFocused()
  await app.keyboard.press('Tab')
  await app.keyboard.press('Tab')
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

test('each starter shows something else: a tool that asks first, long work, a question in the middle', async ({
  app,
}) => {
  const starters = app.getByRole('main').getByRole('listitem').getByRole('button')
  const asks = [
    ['What will the weather be in Lisbon for the next 3 days?', 'Forecast', ['"Lisbon"', '3']],
    ['Bake a bread while we go on talking', 'Bake bread', []],
    ['Book a table at The Lighthouse', 'Book a table', ['"The Lighthouse"']],
  ] as const
  await expect(starters).toHaveText(asks.map(([words]) => words))
  for (const [words, tool, values] of asks) {
    await app.getByRole('link', { name: 'New chat' }).click()
    await starters.filter({ hasText: words }).click()
    const question = app.getByRole('region', { name: `${tool} asks for your permission` })
    await expect(question).toBeVisible()
    await expect(question.getByRole('definition')).toHaveText([...values])
  }

  await press(app, 'Allow once')
  const form = app.getByRole('region', { name: /^Demo tools asks/ })
  await expect(form).toContainText('When do you want to eat at The Lighthouse?')
  await form.getByLabel(/^Name/).fill('Ada')
  await act(form.getByRole('button', { name: 'Submit' }))
  await expect(lastAnswer(app)).toContainText('Booked at The Lighthouse: Ada, 2 at 19:30')
})

test('who turns to another new chat while one is being begun is not fetched back into it', async ({
  app,
  companion,
}) => {
  await hearAnswersLate(app)
  await app.goto(companion.url)
  const starter = (words: string) => app.getByRole('main').getByRole('button', { name: words })
  await starter('Bake a bread').click()
  await app.getByRole('link', { name: 'New chat' }).click()
  await starter('Book a table').click()
  await expect(app.getByRole('region', { name: 'Book a table asks for your permission' })).toBeVisible()
  await expect(
    app.getByRole('link', { name: 'Bake a bread while we go on talking asks for your permission' }),
  ).toBeVisible()
})
