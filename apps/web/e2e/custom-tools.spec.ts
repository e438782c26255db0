import type { Page } from '@playwright/test'
import { approval, test as base, callLine, expect, lastAnswer, press, say, toldIn } from './chat-fixtures.ts'
import { expectNoFaults } from './expect-no-faults.ts'
import { type OrderApi, orderDocument, startOrderApi } from './order-api.ts'

const test = base.extend<{ api: OrderApi }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which parts are wanted
  api: async ({}, use) => {
    const api = await startOrderApi()
    await use(api)
    await api.close()
  },
})

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Makes a collection with a key, and returns its id. */
async function makeCollection(page: Page, api: OrderApi, name = 'Shop'): Promise<string> {
  await page.getByRole('link', { name: 'Servers' }).first().click()
  await page.getByRole('link', { name: 'Custom tools' }).click()
  await field(page, 'Name of the collection').fill(name)
  await field(page, 'Base address').fill(api.origin)
  await page.getByRole('combobox', { name: 'Authentication' }).selectOption('bearer')
  await page.getByLabel('Token').fill('shop-key-1')
  await button(page, 'Create').click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page).toHaveURL(/\/servers\/[^/]+\/custom$/)
  return /servers\/([^/]+)\/custom/.exec(page.url())?.[1] ?? ''
}

/** Describes the tool that finds an order, up to its test. */
async function describeTool(page: Page, api: OrderApi): Promise<void> {
  await page.getByRole('link', { name: 'New tool' }).click()
  await field(page, 'Name').fill('find_order')
  await field(page, 'Description').fill('Finds an order by its number and says where it is.')
  await field(page, 'Address').fill(`${api.origin}/orders/{id}`)
  await button(page, 'Add “id” of the address').click()
  await field(page, 'What it means').fill('The number of the order')
}

/** Gives a GPT the tools of one collection, and no others. */
const giveTools = (page: Page, gptId: string, serverId: string) =>
  page.evaluate(
    ([gpt, server]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('switchboard')
        opening.onerror = () => reject(new Error(opening.error?.message))
        opening.onsuccess = () => {
          const writing = opening.result.transaction('gpts', 'readwrite')
          const gpts = writing.objectStore('gpts')
          const reading = gpts.get(gpt)
          reading.onsuccess = () => {
            const row = reading.result as { tools: object }
            gpts.put({ ...row, tools: { ...row.tools, serverIds: [server] } })
          }
          writing.oncomplete = () => {
            opening.result.close()
            resolve()
          }
          writing.onerror = () => reject(new Error(writing.error?.message))
        }
      }),
    [gptId, serverId] as const,
  )

test('a tool is described, tried before it is saved, used in a chat with permission, and all of it is in the log', async ({
  app,
  api,
  model,
  openGpt,
}) => {
  const serverId = await makeCollection(app, api)
  await describeTool(app, api)

  await test.step('the test shows both sides, and no key', async () => {
    const trial = app.getByRole('group', { name: 'Arguments of the test' })
    await trial.getByRole('textbox', { name: /^id/ }).fill('7 b')
    const sent = app.getByRole('figure', { name: 'What will be sent' })
    await expect(sent).toContainText(`GET ${api.origin}/orders/7%20b`)
    await expect(sent).toContainText('authorization: •••')
    expect(api.asked).toEqual([])
    await button(app, 'Send it now').click()
    const answer = app.getByRole('region', { name: 'Answer of the test' })
    await expect(answer).toContainText('HTTP 200')
    await expect(answer).toContainText('on its way')
    expect(api.asked).toEqual([{ method: 'GET', path: '/orders/7%20b', key: 'Bearer shop-key-1', body: '' }])
    await expect(app.locator('body')).not.toContainText('shop-key-1')
  })

  await button(app, 'Save').click()
  await expect(app.getByRole('link', { name: 'find_order' })).toBeVisible()

  await test.step('a model calls it, and it runs once it is allowed', async () => {
    model.follow([{ calls: [{ name: 'shop__find_order', input: { id: '12' } }] }, { text: 'It is on its way.' }])
    const { gptId } = await openGpt({ approval: 'always-ask' })
    await giveTools(app, gptId, serverId)
    await say(app, 'Where is order 12?')
    await expect(approval(app)).toContainText('find_order of Shop')
    expect(api.asked).toHaveLength(1)
    await press(app, 'Allow once')
    await expect(lastAnswer(app)).toContainText('It is on its way.')
    await expect(callLine(app, 'find_order')).toContainText('allowed once')
    expect(api.asked.at(-1)).toMatchObject({ path: '/orders/12', key: 'Bearer shop-key-1' })
    expect(toldIn(model.requests.at(-1))).toContain('on its way')
  })

  await test.step('the log has both, newest first', async () => {
    await app.goto(`${new URL(app.url()).origin}/#/servers/${serverId}/custom`)
    const entries = app.getByRole('list', { name: 'Calls, newest first' }).locator('summary')
    await expect(entries).toHaveCount(2)
    await entries.first().click()
    await expect(app.getByRole('link', { name: 'Called in a chat' })).toBeVisible()
    await expect(app.getByRole('list', { name: 'Calls, newest first' })).toContainText('12')
  })
})

test('a tool that is changed asks for permission anew, and one that is deleted comes back with undo', async ({
  app,
  api,
  model,
  openGpt,
}) => {
  const serverId = await makeCollection(app, api)
  await describeTool(app, api)
  await button(app, 'Save').click()
  // Whoever is elsewhere when it is saved stays there.
  const { gptId } = await openGpt({ approval: 'always-ask' })
  await expect(app.getByText('Saved “find_order”.')).toBeVisible()
  await expect(app).toHaveURL(/\/new$/)
  await giveTools(app, gptId, serverId)
  model.follow(() => ({ calls: [{ name: 'shop__find_order', input: { id: '1' } }] }))
  await say(app, 'Find 1')
  await expect(approval(app)).toContainText('find_order of Shop')

  const chat = app.url()
  await app.goto(`${new URL(chat).origin}/#/servers/${serverId}/custom`)
  await app.getByRole('link', { name: 'find_order' }).click()
  await field(app, 'Address').fill(`${api.origin}/archive/{id}`)
  await button(app, 'Save').click()
  await expect(app.getByText(`${api.origin}/archive/{id}`)).toBeVisible()
  await app.goto(chat)
  await press(app, 'Allow once')
  await expect(app.getByText(/has changed since you were asked/).first()).toBeVisible()
  expect(api.asked).toEqual([])

  await app.goto(`${new URL(chat).origin}/#/servers/${serverId}/custom`)
  await button(app, 'What to do with find_order').click()
  await app.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(app.getByRole('link', { name: 'find_order' })).toBeHidden()
  await button(app, 'Undo').click()
  await expect(app.getByRole('link', { name: 'find_order' })).toBeVisible()

  await button(app, 'What to do with find_order').click()
  await app.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'find_order_2' })).toBeVisible()
})

test.describe('a refusal of the API', () => {
  // The browser itself notes an answer that refuses.
  test.use({ expectedProblems: /Failed to load resource/ })

  test('is shown with its status and its words, and what cannot be saved says why', async ({ app, api }) => {
    await makeCollection(app, api)
    await describeTool(app, api)
    await app.getByRole('group', { name: 'Arguments of the test' }).getByRole('textbox', { name: /^id/ }).fill('404')
    await button(app, 'Send it now').click()
    const answer = app.getByRole('region', { name: 'Answer of the test' })
    await expect(answer).toContainText('HTTP 404')
    await expect(answer).toContainText('There is no such order.')

    await field(app, 'Name').fill('')
    await button(app, 'Save').click()
    await expect(app.getByText('Give it a name, such as find_order.').first()).toBeVisible()
    await field(app, 'Name').fill('find_order')
    await field(app, 'Address').fill('http://shop.example/orders/{id}')
    // At its field, and beside the button that did not save it.
    await expect(field(app, 'Address')).toHaveAccessibleDescription(/shop\.example needs https/)
    await expect(app.getByText(/Not saved: shop\.example needs https/)).toBeVisible()
    await expect(button(app, 'Send it now')).toBeDisabled()
  })
})

test('an OpenAPI document becomes tools: two are chosen, and one is called with the key that it asks for', async ({
  app,
  api,
}) => {
  await app.getByRole('link', { name: 'Servers' }).first().click()
  await app.getByRole('link', { name: 'Custom tools' }).click()
  await app.getByRole('link', { name: 'Import a document' }).click()
  await field(app, 'Paste the document').fill('{"swagger":"2.0"}')
  await button(app, 'Read it').click()
  await expect(app.getByText(/This is a Swagger 2\.0 document/)).toBeVisible()
  await field(app, 'Paste the document').fill('openapi: 3.1.0\npaths: *missing')
  await button(app, 'Read it').click()
  await expect(app.getByText('Line 2: unidentified alias "missing".')).toBeVisible()
  expect(api.asked).toEqual([])

  await field(app, 'Or its address').fill(`${api.origin}/openapi.json`)
  await button(app, 'Fetch').click()
  await expect(app.getByText('Order desk 1.4')).toBeVisible()
  expect(api.asked).toEqual([{ method: 'GET', path: '/openapi.json', key: undefined, body: '' }])
  await expect(field(app, 'Name of the collection')).toHaveValue('Order desk')
  await expect(field(app, 'Base address')).toHaveValue(api.origin)
  await expect(app.getByRole('combobox', { name: 'Authentication' })).toHaveValue('bearer')
  await app.getByLabel('Token').fill('desk-key')

  const operation = (path: string) => app.getByRole('checkbox', { name: path })
  await expect(operation('POST /photos')).toBeDisabled()
  await app.getByRole('searchbox', { name: 'Find an operation' }).fill('order')
  await operation('GET /orders/{id}').check()
  await operation('POST /orders').check()
  await expect(app.getByText('“session” is left out')).toBeHidden()
  await app.getByText('1 note').click()
  await expect(app.getByText('“session” is left out: cookies are not sent.')).toBeVisible()
  await button(app, 'Add 2 tools').click()

  await expect(app.getByRole('heading', { level: 1, name: 'Order desk' })).toBeVisible()
  await expect(app.getByRole('link', { name: 'findOrder' })).toBeVisible()
  await app.getByRole('link', { name: 'placeOrder' }).click()
  await app
    .getByRole('group', { name: 'Arguments of the test' })
    .getByRole('textbox', { name: /^article/ })
    .fill('kettle')
  await button(app, 'Send it now').click()
  await expect(app.getByRole('region', { name: 'Answer of the test' })).toContainText('kettle')
  expect(api.asked.at(-1)).toEqual({
    method: 'POST',
    path: '/orders',
    key: 'Bearer desk-key',
    body: '{"article":"kettle"}',
  })
})

test('axe finds nothing on the screens of custom tools', async ({ app, api }) => {
  test.slow()
  const serverId = await makeCollection(app, api)
  await expectNoFaults(app, 'a collection without tools')
  await describeTool(app, api)
  await app.getByRole('group', { name: 'Arguments of the test' }).getByRole('textbox', { name: /^id/ }).fill('7')
  await button(app, 'Send it now').click()
  await expect(app.getByRole('region', { name: 'Answer of the test' })).toBeVisible()
  await expectNoFaults(app, 'the editor after a test')
  await button(app, 'Save').click()
  await expect(app.getByRole('link', { name: 'find_order' })).toBeVisible()
  await app.getByRole('list', { name: 'Calls, newest first' }).locator('summary').first().click()
  await expectNoFaults(app, 'a collection with a tool and its log')
  await app.goto(`${new URL(app.url()).origin}/#/servers/${serverId}/custom/import`)
  await expectNoFaults(app, 'an import')
  await field(app, 'Paste the document').fill(JSON.stringify(orderDocument(api.origin)))
  await button(app, 'Read it').click()
  await expect(app.getByText('Order desk 1.4')).toBeVisible()
  await expectNoFaults(app, 'the choice of operations')
})
