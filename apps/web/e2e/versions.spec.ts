import { expect, gate, lastAnswer, say, test } from './chat-fixtures.ts'

test('an answer is given again, and both versions can be read', async ({ app, model, openGpt }) => {
  let asked = 0
  model.follow(() => ({ text: `Answer number ${++asked}.` }))
  await openGpt()
  await say(app, 'Say something')
  await expect(lastAnswer(app)).toContainText('Answer number 1.')

  await lastAnswer(app).getByRole('button', { name: 'Answer again' }).click()
  await expect(lastAnswer(app)).toContainText('Answer number 2.')
  await expect(lastAnswer(app).getByLabel('Version 2 of 2')).toBeVisible()
  await lastAnswer(app).getByRole('button', { name: 'Earlier version' }).click()
  await expect(lastAnswer(app)).toContainText('Answer number 1.')
  await expect(lastAnswer(app).getByLabel('Version 1 of 2')).toBeVisible()

  await app.reload()
  await expect(lastAnswer(app)).toContainText('Answer number 1.')
  await lastAnswer(app).getByRole('button', { name: 'Later version' }).click()
  await expect(lastAnswer(app)).toContainText('Answer number 2.')
  expect(asked).toBe(2)
})

test('a question is changed, and what stood before stays as a version', async ({ app, model, openGpt }) => {
  model.follow(({ body }) => ({ text: JSON.stringify(body).includes('Rome') ? 'About Rome.' : 'About Oslo.' }))
  await openGpt()
  await say(app, 'Tell me of Oslo')
  await expect(lastAnswer(app)).toContainText('About Oslo.')

  const question = app.getByRole('article', { name: 'You' })
  await question.getByRole('button', { name: 'Edit' }).click()
  await app.getByRole('textbox', { name: 'Edit your message' }).fill('Tell me of Rome')
  await app.keyboard.press('Enter')
  await expect(lastAnswer(app)).toContainText('About Rome.')
  await expect(question).toContainText('Tell me of Rome')
  expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('Oslo')

  await question.getByRole('button', { name: 'Earlier version' }).click()
  await expect(question).toContainText('Tell me of Oslo')
  await expect(lastAnswer(app)).toContainText('About Oslo.')
})

test('what streams is stopped at the service too, kept, and continued from there', async ({ app, model, openGpt }) => {
  const never = gate()
  model.follow([
    { text: 'One two three four five six seven.', hold: { afterEvents: 4, until: never.opened } },
    { text: 'four five six seven.' },
  ])
  await openGpt()
  await say(app, 'Count')
  await expect(lastAnswer(app)).toContainText('One two three')
  await app.getByRole('button', { name: 'Stop' }).click()
  expect(await model.requests[0]?.ended).toBe('left')
  await expect(lastAnswer(app)).toContainText('Stopped before it was complete.')
  await expect(lastAnswer(app)).toContainText('One two three')

  await lastAnswer(app).getByRole('button', { name: 'Continue' }).click()
  await expect(lastAnswer(app)).toContainText('four five six seven.')
  await expect(lastAnswer(app)).toContainText('One two three')
  expect(JSON.stringify(model.requests[1]?.body)).toContain('One two three')
})
