import type { Page } from '@playwright/test'
import { approval, call, callLine, expect, gate, lastAnswer, press, say, test } from './chat-fixtures.ts'

const engineOf = (page: Page) => page.workers().find((worker) => worker.url().endsWith('/assets/engine.js'))

/** The engine dies of an error that nobody catches. */
async function crash(page: Page): Promise<void> {
  const restarted = page.waitForEvent('worker', (worker) => worker.url().endsWith('/assets/engine.js'))
  await engineOf(page)?.evaluate(() => {
    setTimeout(() => {
      throw new Error('crashed by the test')
    })
  })
  await restarted
}

test.use({ expectedProblems: /crashed by the test/ })

test('[R-37] an engine that crashes is started again: what streamed is kept and can be continued', async ({
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
  await crash(app)
  await expect(lastAnswer(app)).toContainText('Stopped before it was complete.')
  await lastAnswer(app).getByRole('button', { name: 'Continue' }).click()
  await expect(lastAnswer(app)).toContainText('four five.')
})

test('[R-37] an engine that crashes while a question is open asks it still', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow([{ calls: [call('note', { text: 'milk' })] }, { text: 'It is kept.' }])
  await openGpt()
  await say(app, 'Keep milk')
  await expect(approval(app)).toBeVisible()
  await crash(app)
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  expect(server.ledger.executionsOf('note')).toBe(1)
})

test('[R-37] an engine that falls silent while a tool runs is replaced, and the call does not run again', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow([{ calls: [call('slow', { mark: 'only' })] }, { text: 'Now it is done.' }])
  // The watch over the engine is the page's; its time is ours, so that nobody waits for 15 seconds.
  await app.clock.install()
  await app.reload()
  await openGpt({ approval: 'auto' })
  await say(app, 'Do it slowly')
  await server.untilRun('slow', 1)
  const restarted = app.waitForEvent('worker', (worker) => worker.url().endsWith('/assets/engine.js'))
  await engineOf(app)?.evaluate(() => self.close())
  await app.clock.runFor(21_000)
  await restarted
  await expect(callLine(app, 'slow')).toContainText('outcome unknown')
  expect(server.ledger.executionsOf('slow')).toBe(1)

  server.release()
  await lastAnswer(app).getByRole('button', { name: 'Run again' }).click()
  await expect(lastAnswer(app)).toContainText('Now it is done.')
  expect(server.ledger.executionsOf('slow')).toBe(2)
})
