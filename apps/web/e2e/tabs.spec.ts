import type { Page } from '@playwright/test'
import { approval, call, callLine, expect, gate, lastAnswer, press, say, test } from './chat-fixtures.ts'

/** The same chat in another tab. */
async function secondTab(app: Page): Promise<Page> {
  const other = await app.context().newPage()
  await other.goto(app.url())
  return other
}

test('a second tab shows an answer while it streams, and says that the chat is busy', async ({
  app,
  model,
  openGpt,
}) => {
  const more = gate()
  model.follow([
    { text: 'One two three four five.', hold: { afterEvents: 4, until: more.opened } },
    { text: 'Hello tab.' },
  ])
  await openGpt()
  await say(app, 'Count')
  await expect(lastAnswer(app)).toContainText('One two three')
  const other = await secondTab(app)
  await expect(lastAnswer(other)).toContainText('One two three')
  await expect(other.getByText('This chat is busy in another tab.')).toBeVisible()

  more.open()
  await expect(lastAnswer(other)).toContainText('four five.')
  await expect(other.getByText('This chat is busy in another tab.')).toBeHidden()
  await say(other, 'And from here?')
  await expect(lastAnswer(app)).toContainText('Hello tab.')
  expect(model.requests).toHaveLength(2)
})

test('a question is answered in the other tab, and its call runs once', async ({ app, model, server, openGpt }) => {
  model.follow([{ calls: [call('note', { text: 'milk' })] }, { text: 'It is kept.' }])
  await openGpt()
  await say(app, 'Keep milk')
  await expect(approval(app)).toBeVisible()
  const other = await secondTab(app)
  await press(other, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  await expect(approval(app)).toHaveCount(0)
  expect(server.ledger.executionsOf('note')).toBe(1)
  expect(model.requests).toHaveLength(2)
})

test('[R-27] when the tab that worked is closed in the middle, the other can go on', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow([{ calls: [call('slow', { mark: 'only' })] }, { text: 'Now it is done.' }])
  await openGpt({ approval: 'auto' })
  await say(app, 'Do it slowly')
  await server.untilRun('slow', 1)
  const other = await secondTab(app)
  await expect(callLine(other, 'slow')).toBeVisible()
  await app.close()
  await expect(callLine(other, 'slow')).toContainText('outcome unknown')
  expect(server.ledger.executionsOf('slow')).toBe(1)

  server.release()
  await lastAnswer(other).getByRole('button', { name: 'Run again' }).click()
  await expect(lastAnswer(other)).toContainText('Now it is done.')
  expect(server.ledger.executionsOf('slow')).toBe(2)
})
