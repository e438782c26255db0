import type { Locator, Page } from '@playwright/test'
import { approval, call, callLine, expect, lastAnswer, test, toldIn } from './chat-fixtures.ts'

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target, 'is reached by Tab').toBeFocused()
}

const button = (page: Page, name: string) => approval(page).getByRole('button', { name, exact: true })
const isArmed = (page: Page) => expect(button(page, 'Allow once')).not.toHaveAttribute('aria-disabled', 'true')

const tabToAllow = async (page: Page) => {
  await page.keyboard.press('F6')
  await tabTo(page, button(page, 'Allow once'))
}

test('a question is announced, and every answer to it is given by keyboard alone', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  const ask = (text: string) => ({ calls: [call('note', { text })] })
  model.follow([ask('one'), ask('two'), ask('three'), ask('four'), { text: 'All done.' }])
  await openGpt()
  await app.keyboard.type('Keep notes')
  await app.keyboard.press('Enter')
  await expect(app.getByRole('alert')).toHaveText('note asks for your permission. Press F6 to go there.')

  // Once, with other arguments.
  const message = app.getByRole('textbox', { name: 'Message' })
  await expect(message).toBeFocused()
  await app.keyboard.press('F6')
  await expect(approval(app)).toBeFocused()
  await app.keyboard.press('F6')
  await expect(message).toBeFocused()
  await app.keyboard.press('Shift+F6')
  await expect(approval(app)).toBeFocused()
  await tabTo(app, button(app, 'Edit'))
  await app.keyboard.press('Enter')
  await tabTo(app, button(app, 'Allow once'))
  await app.keyboard.press('Shift+Tab')
  await app.keyboard.press('Shift+Tab')
  await expect(approval(app).getByRole('textbox', { name: 'Arguments, as JSON' })).toBeFocused()
  await app.keyboard.press('Control+a')
  await app.keyboard.type('{"text": "changed"}')
  await tabTo(app, button(app, 'Allow once'))
  await isArmed(app)
  await app.keyboard.press('Enter')
  await server.ledger.until(() => server.ledger.executionsOf('note') === 1, 'the first call')

  // Denied, with a reason.
  await expect(approval(app)).toContainText('"two"')
  await expect(message).toBeFocused()
  await app.keyboard.press('F6')
  await tabTo(app, button(app, 'Deny with a reason'))
  await isArmed(app)
  await app.keyboard.press('Enter')
  await app.keyboard.type('Not this one')
  await app.keyboard.press('Enter')

  // Denied, without.
  await expect(approval(app)).toContainText('"three"')
  await expect(message).toBeFocused()
  await app.keyboard.press('F6')
  await tabTo(app, button(app, 'Deny'))
  await isArmed(app)
  await app.keyboard.press('Space')

  // For this chat, from the menu.
  await expect(approval(app)).toContainText('"four"')
  await expect(message).toBeFocused()
  await app.keyboard.press('F6')
  await tabTo(app, button(app, 'Allow for longer'))
  await isArmed(app)
  await app.keyboard.press('Enter')
  await expect(app.getByRole('menuitem', { name: 'Allow in this chat' })).toBeFocused()
  await app.keyboard.press('End')
  await expect(app.getByRole('menuitem', { name: 'Always allow' })).toBeFocused()
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('Enter')

  await expect(lastAnswer(app)).toContainText('All done.')
  expect(server.callBodies.map((body) => /"text":"(\w+)"/.exec(body)?.[1])).toEqual(['changed', 'four'])
  expect(toldIn(model.requests.at(-1))).toContain('Not this one')
  await expect(app.getByRole('textbox', { name: 'Message' })).toBeFocused()

  // What happened is opened and read.
  const line = callLine(app, 'note').first()
  await line.focus()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('heading', { name: 'Arguments' })).toBeVisible()
})

for (const typed of ['no wait, stop', ' ', '\n'])
  test(`[A3.5] typing ${JSON.stringify(typed)} while a call waits does not run it`, async ({
    app,
    model,
    server,
    openGpt,
  }) => {
    model.follow([{ calls: [call('note', { text: 'gone' })] }, { text: 'It is done.' }])
    await openGpt()
    await app.keyboard.type('Remove it')
    await app.keyboard.press('Enter')
    await expect(approval(app)).toBeVisible()
    // The worst moment: the buttons act from now on.
    await isArmed(app)
    for (const key of typed) await app.keyboard.press(key === '\n' ? 'Enter' : key === ' ' ? 'Space' : key)
    const message = app.getByRole('textbox', { name: 'Message' })
    await expect(message).toBeFocused()
    await expect(message).toHaveValue(typed === '\n' ? '' : typed)
    await expect(approval(app)).toBeVisible()
    expect(server.ledger.executions).toEqual([])
    await tabToAllow(app)
    await app.keyboard.press('Enter')
    await expect(lastAnswer(app)).toContainText('It is done.')
    expect(server.ledger.executionsOf('note')).toBe(1)
  })

test('the first stop is a link past the bar, and every stop is seen', async ({ app }) => {
  await app.getByRole('link', { name: 'New chat' }).focus()
  await app.keyboard.press('Shift+Tab')
  const skip = app.getByRole('link', { name: 'Skip to the conversation' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await app.keyboard.press('Enter')
  await expect(app.locator('main')).toBeFocused()

  await skip.focus()
  const unseen: string[] = []
  const seen = new Set<string>()
  for (let presses = 0; presses < 40; presses++) {
    await app.keyboard.press('Tab')
    const stop = await app.evaluate(() => {
      const element = document.activeElement ?? document.body
      // A field may show it on the box around it.
      const isMarked = [element, element.parentElement ?? element].some((one) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      })
      const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
      return { name: `${element.tagName} ${name}`, isMarked }
    })
    if (stop.name.startsWith('BODY')) break
    seen.add(stop.name)
    if (!stop.isMarked) unseen.push(stop.name)
  }
  expect(unseen, 'stops that nobody sees').toEqual([])
  expect(seen.size).toBeGreaterThan(8)
  expect([...seen].join()).toContain('TEXTAREA Message')
})

test('whatever was opened gives the focus back when it is closed', async ({ app, model, openGpt }) => {
  model.follow([{ text: 'Hello.' }])
  await openGpt()
  await app.keyboard.type('Hello')
  await app.keyboard.press('Enter')
  await expect(lastAnswer(app)).toContainText('Hello.')
  const message = app.getByRole('textbox', { name: 'Message' })
  await expect(message).toBeFocused()

  await app.keyboard.press('Control+k')
  await expect(app.getByRole('combobox')).toBeFocused()
  await app.keyboard.press('Escape')
  await expect(message).toBeFocused()

  const menu = app.getByRole('button', { name: 'This chat' })
  await menu.focus()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
  await app.keyboard.press('Escape')
  await expect(menu).toBeFocused()

  await app.keyboard.press('Enter')
  await app.keyboard.press('Enter')
  await expect(app.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await app.keyboard.press('Escape')
  await expect(menu).toBeFocused()

  await app.setViewportSize({ width: 390, height: 780 })
  const drawer = app.getByRole('button', { name: 'Open the menu' })
  await drawer.focus()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await app.keyboard.press('Escape')
  await expect(app.getByRole('dialog', { name: 'Menu' })).toBeHidden()
  await expect(drawer).toBeFocused()
})
