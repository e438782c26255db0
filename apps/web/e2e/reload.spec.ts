import type { Page } from '@playwright/test'
import { approval, call, callLine, expect, gate, lastAnswer, press, say, test, toldIn } from './chat-fixtures.ts'

test('a reload while an answer streams keeps what had arrived, and it can be continued', async ({
  app,
  model,
  openGpt,
}) => {
  const never = gate()
  model.follow([
    { text: 'One two three four five.', hold: { afterEvents: 4, until: never.opened } },
    { text: 'four five.' },
  ])
  await openGpt()
  await say(app, 'Count')
  await expect(lastAnswer(app)).toContainText('One two three')
  await app.reload()
  await expect(lastAnswer(app)).toContainText('Stopped before it was complete.')
  await expect(lastAnswer(app)).toContainText('One two three')

  await lastAnswer(app).getByRole('button', { name: 'Continue' }).click()
  await expect(lastAnswer(app)).toContainText('four five.')
  expect(model.requests).toHaveLength(2)
})

test('a question that is open survives a reload, and its call runs once', async ({ app, model, server, openGpt }) => {
  model.follow([{ calls: [call('note', { text: 'milk' })] }, { text: 'It is kept.' }])
  await openGpt()
  await say(app, 'Keep milk')
  await expect(approval(app)).toContainText('"milk"')
  await app.reload()
  await expect(approval(app)).toContainText('"milk"')
  expect(model.requests).toHaveLength(1)

  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  expect(server.ledger.executionsOf('note')).toBe(1)
  expect(model.requests).toHaveLength(2)
})

test('[R-27] a call that ran during a reload has an unknown outcome, and runs again only by the user’s word', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow([{ calls: [call('slow', { mark: 'only' })] }, { text: 'Now it is done.' }])
  await openGpt({ approval: 'auto' })
  await say(app, 'Do it slowly')
  await server.untilRun('slow', 1)
  await expect(callLine(app, 'slow')).toBeVisible()
  await app.reload()
  await expect(callLine(app, 'slow')).toContainText('outcome unknown')
  await expect(lastAnswer(app)).toContainText('It may have run')
  // The turn waits for the user: the model is not asked, the tool is not called.
  expect(model.requests).toHaveLength(1)
  expect(server.ledger.executionsOf('slow')).toBe(1)

  server.release()
  await lastAnswer(app).getByRole('button', { name: 'Run again' }).click()
  await expect(lastAnswer(app)).toContainText('Now it is done.')
  expect(server.ledger.executionsOf('slow')).toBe(2)
  await expect(callLine(app, 'slow')).toHaveCount(2)
  await expect(callLine(app, 'slow').last()).toContainText('allowed once')
  await expect(lastAnswer(app).getByRole('button', { name: 'Run again' })).toHaveCount(0)
  expect(toldIn(model.requests.at(-1))).toContain('Slowly did only.')
})

test('who goes on without a lost call has the model told that nobody knows its outcome', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow([{ calls: [call('slow', { mark: 'lost' })] }, { text: 'Then let us leave it.' }])
  await openGpt({ approval: 'auto' })
  await say(app, 'Do it slowly')
  await server.untilRun('slow', 1)
  await expect(callLine(app, 'slow')).toBeVisible()
  await app.reload()
  await lastAnswer(app).getByRole('button', { name: 'Go on without it' }).click()
  await expect(lastAnswer(app)).toContainText('Then let us leave it.')
  expect(toldIn(model.requests.at(-1))).toContain('connection broke before its result came')
  expect(server.ledger.executionsOf('slow')).toBe(1)
})

test('after a reload a finished conversation is as it was, and goes on', async ({ app, model, server, openGpt }) => {
  model.follow([{ calls: [call('note', { text: 'milk' })] }, { text: 'It is kept.' }, { text: 'Still here.' }])
  await openGpt({ approval: 'auto' })
  await say(app, 'Keep milk')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  await app.reload()
  await expect(lastAnswer(app)).toContainText('It is kept.')
  await expect(callLine(app, 'note')).toContainText('allowed by policy')
  await say(app, 'Are you there?')
  await expect(lastAnswer(app)).toContainText('Still here.')
  expect(server.ledger.executionsOf('note')).toBe(1)
  expect(model.requests).toHaveLength(3)
})

test('[R-25] words that are typed and not sent survive a reload', async ({ app, model, openGpt }) => {
  model.follow([{ text: 'Hello.' }])
  await openGpt()
  await say(app, 'Hi')
  await expect(lastAnswer(app)).toContainText('Hello.')
  await app.getByRole('textbox', { name: 'Message' }).fill('half a thou')
  await expect.poll(() => storedDrafts(app)).toEqual(['half a thou'])
  await app.reload()
  await expect(app.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thou')
})

test('[R-27] leaving is warned of while a call runs, and not otherwise', async ({ app, model, server, openGpt }) => {
  model.follow([{ calls: [call('slow', { mark: 'only' })] }, { text: 'Done.' }])
  await openGpt({ approval: 'auto' })
  await say(app, 'Do it slowly')
  await expect.poll(() => warnsOfLeaving(app)).toBe(true)
  const warning = app.waitForEvent('dialog')
  await app.close({ runBeforeUnload: true })
  const dialog = await warning
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()

  server.release()
  await expect(lastAnswer(app)).toContainText('Done.')
  await expect.poll(() => warnsOfLeaving(app)).toBe(false)
  const closed = app.waitForEvent('close')
  await app.close({ runBeforeUnload: true })
  await closed
})

/** Whether the page has something to say to a browser that is about to leave it. */
const warnsOfLeaving = (page: Page) =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))

const storedDrafts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('switchboard')
        opening.onsuccess = () => {
          const reading = opening.result.transaction('drafts').objectStore('drafts').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            resolve((reading.result as { text: string }[]).map(({ text }) => text))
          }
        }
      }),
  )
