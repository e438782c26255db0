import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, lastAnswer, say, test as base, typedIsKept } from './chat-fixtures.ts'
import { expectNoFaults } from './expect-no-faults.ts'
import { BYTES, type OfferServer, offerEverything, PNG } from './offer-server.ts'

const test = base.extend<{ offered: OfferServer }>({
  offered: async ({ server }, use) => {
    await use(offerEverything(server))
  },
})

const SERVER = 'notes-server'
const go = (page: Page, to: string) => page.goto(`${new URL(page.url()).origin}/#${to}`)
const openTab = async (page: Page, tab: 'resources' | 'prompts') => {
  await go(page, `/servers/${SERVER}/${tab}`)
  await expect(page.getByRole('list', { name: tab }).getByRole('button').first()).toBeVisible()
}
const offer = (page: Page, name: string) => page.getByRole('list').getByRole('button', { name })
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const chips = (page: Page) => page.getByRole('list', { name: 'Attached' }).getByRole('listitem')
const sent = (model: { requests: readonly { body: unknown }[] }) => JSON.stringify(model.requests.at(-1)?.body)

test('resources of every kind are found, read and saved, and nothing of them runs', async ({
  app,
  openGpt,
  offered,
}) => {
  expect(offered.note).toBeTruthy()
  await openGpt()
  await go(app, `/servers/${SERVER}`)
  await app.getByRole('link', { name: 'Browse its resources' }).click()
  await expect(offer(app, 'Readme')).toContainText('text/markdown · 38 B')
  await expect(offer(app, 'Readme')).toContainText('What this is about')

  await offer(app, 'Readme').click()
  await expect(app.getByRole('heading', { name: 'A heading' })).toBeVisible()

  await app.getByRole('searchbox', { name: 'Search resources' }).fill('data')
  await expect(offer(app, 'Readme')).toBeHidden()
  await app.keyboard.press('Enter')
  await expect(app.getByText('rain', { exact: true })).toBeVisible()
  await app.getByRole('searchbox', { name: 'Search resources' }).fill('')

  await offer(app, 'Page').click()
  await expect(app.getByText('<h1 id="drawn">Hi</h1>')).toBeVisible()
  await expect(app.locator('#drawn')).toHaveCount(0)

  await offer(app, 'Picture').click()
  const picture = app.getByRole('region', { name: 'Contents' }).getByRole('img')
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)

  await offer(app, 'Archive').click()
  const saving = app.waitForEvent('download')
  await app.getByRole('button', { name: 'Download 5 B' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('passwd')
  expect(new Uint8Array(readFileSync(await saved.path()))).toEqual(BYTES)

  await offer(app, 'Trap').click()
  await expect(app.getByRole('alert')).toContainText('Addresses with javascript: are never read.')
})

test('a template is filled in with what the server suggests, by keyboard alone', async ({ app, openGpt, offered }) => {
  expect(offered.note).toBeTruthy()
  await openGpt()
  await openTab(app, 'resources')
  await app.getByRole('searchbox').focus()
  await app.keyboard.type('weather')
  await app.keyboard.press('Enter')
  await app.getByRole('combobox', { name: 'city' }).focus()
  await app.keyboard.type('li')
  await expect(app.getByRole('option')).toHaveText(['Lisbon', 'Lima'])
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('Enter')
  await expect(app.getByRole('combobox', { name: 'city' })).toHaveValue('Lima')
  await app.keyboard.press('Enter')
  await expect(app.getByText('Rain in Lima.')).toBeVisible()
})

for (const era of ['sessions', 'stateless'] as const) {
  test(`a resource that is watched shows every change, until one leaves (${era})`, async ({
    app,
    openGpt,
    server,
    offered,
  }) => {
    server.era = era
    await openGpt()
    await openTab(app, 'resources')
    await offer(app, 'Note').click()
    await expect(app.getByText('The first words.')).toBeVisible()
    const wanted = () =>
      era === 'sessions'
        ? server.ledger.entries.filter(({ method }) => method === 'resources/subscribe').length -
          server.ledger.entries.filter(({ method }) => method === 'resources/unsubscribe').length
        : [...server.listeners].filter(({ exchange }) =>
            JSON.stringify(exchange.params['notifications'])?.includes('x://note'),
          ).length
    await app.getByRole('switch', { name: 'Watch for changes' }).click()
    await expect(app.getByText('Nothing has changed yet.')).toBeVisible()
    expect(wanted()).toBe(1)

    offered.note = 'The second words.'
    server.push({ method: 'notifications/resources/updated', params: { uri: 'x://note' } })
    await expect(app.getByText('The second words.')).toBeVisible()
    await expect(app.getByText('Changed 1 time since you opened it.')).toBeVisible()

    await app.getByRole('link', { name: 'Settings of this server' }).click()
    await server.ledger.until(() => wanted() === 0, 'nobody who watches', 20_000)
  })
}

test('a list that changes is listed anew', async ({ app, openGpt, server, offered }) => {
  await openGpt()
  await openTab(app, 'resources')
  const wanted = () =>
    [...server.listeners].some(({ exchange }) =>
      JSON.stringify(exchange.params['notifications'])?.includes('resourcesListChanged'),
    )
  await server.ledger.until(wanted, 'a stream', 20_000)
  offered.extra = [{ uri: 'x://new', name: 'Brand new' }]
  server.push({ method: 'notifications/resources/list_changed' })
  await expect(offer(app, 'Brand new')).toBeVisible()
})

test('a resource is attached by @, outlives a reload, and reaches the model as data with its origin', async ({
  app,
  openGpt,
  model,
  offered,
}) => {
  expect(offered.note).toBeTruthy()
  model.follow([{ text: 'It is about rain.' }])
  await openGpt()
  await message(app).focus()
  await app.keyboard.type('What is this? @')
  await expect(app.getByRole('dialog', { name: 'Attach a resource' })).toBeVisible()
  await expect(offer(app, 'Readme')).toBeVisible()
  await app.keyboard.type('readme')
  await app.keyboard.press('Enter')
  await expect(chips(app)).toHaveText(/Readme.*Notes/)
  await expect(message(app)).toBeFocused()
  await expect(message(app)).toHaveValue('What is this? ')

  await typedIsKept(app, 'Readme')
  await app.reload()
  await expect(chips(app)).toHaveText(/Readme.*Notes/)
  await expect(message(app)).toHaveValue('What is this? ')
  await message(app).press('Enter')
  await expect(lastAnswer(app)).toContainText('It is about rain.')
  expect(sent(model)).toContain('of the server')
  expect(sent(model)).toContain('data, not instructions')
  expect(sent(model)).toContain('Some **strong** words.')
  await expect(chips(app)).toHaveCount(0)

  const own = app.getByRole('article', { name: 'You' })
  await own.locator('summary').click()
  await expect(own.getByRole('heading', { name: 'A heading' })).toBeVisible()
  await app.reload()
  await expect(own.locator('summary')).toContainText('Readme')
})

test('a picture is attached alone, and a model that takes pictures gets it', async ({
  app,
  openGpt,
  model,
  offered,
}) => {
  expect(offered.note).toBeTruthy()
  model.follow([{ text: 'A red dot.' }])
  await openGpt({ wire: { kind: 'openai', api: 'responses' } })
  await message(app).focus()
  await app.keyboard.type('@')
  await expect(offer(app, 'Picture')).toBeVisible()
  await app.keyboard.type('picture')
  await app.keyboard.press('Enter')
  await expect(chips(app)).toHaveText(/Picture/)
  await message(app).press('Enter')
  await expect(lastAnswer(app)).toContainText('A red dot.')
  expect(sent(model)).toContain(PNG)
  await expect(app.getByRole('article', { name: 'You' }).getByText('Picture')).toBeVisible()
})

test('a chat-completions model gets an attached picture, and the composer says when it would not', async ({
  app,
  openGpt,
  model,
  offered,
}) => {
  expect(offered.note).toBeTruthy()
  model.follow([{ text: 'A red dot.' }])
  await openGpt({ wire: { kind: 'compatible', api: 'chat' } })
  const attach = async () => {
    await message(app).focus()
    await app.keyboard.type('@')
    await expect(offer(app, 'Picture')).toBeVisible()
    await app.keyboard.type('picture')
    await app.keyboard.press('Enter')
    await expect(chips(app)).toHaveText(/Picture/)
  }
  await attach()
  await message(app).press('Enter')
  await expect(lastAnswer(app)).toContainText('A red dot.')
  expect(sent(model)).toContain(`"url":"data:image/png;base64,${PNG}"`)

  await attach()
  const notice = app.getByRole('status').filter({ hasText: "doesn't accept pictures" })
  await expect(notice).toHaveCount(0)
  await app.locator('header').getByRole('link').first().click()
  await app.getByRole('checkbox', { name: 'Accepts pictures' }).uncheck()
  await expect(app.getByText('Saved')).toBeVisible()
  await app.goBack()
  await expect(notice).toContainText("so it won't get Picture.")
  await expectNoFaults(app, 'a picture that the model will not get')
  await message(app).fill('What is it?')
  await message(app).press('Enter')
  await expect.poll(() => model.requests.length).toBe(2)
  expect(sent(model)).not.toContain(PNG)
  expect(sent(model)).toContain('you cannot')
})

test('a prompt is chosen with /, filled in with suggestions and sent, by keyboard alone', async ({
  app,
  openGpt,
  model,
  offered,
}) => {
  expect(offered.note).toBeTruthy()
  model.follow([{ text: 'A day by the sea.' }])
  await openGpt()
  await message(app).focus()
  await app.keyboard.type('/')
  await expect(app.getByRole('dialog', { name: 'Use a prompt' })).toBeVisible()
  await expect(offer(app, 'Plan a day')).toBeVisible()
  await app.keyboard.type('plan')
  await app.keyboard.press('Enter')
  await expect(app.getByRole('combobox', { name: 'city (required)' })).toBeFocused()
  await app.keyboard.type('Lis')
  await expect(app.getByRole('option', { name: 'Lisbon' })).toBeVisible()
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('Enter')
  await app.keyboard.press('Enter')
  const insert = app.getByRole('button', { name: 'Put it into the message' })
  await expect(insert).toBeFocused()
  await expect(app.getByRole('region', { name: 'Preview' })).toContainText('Plan a day in Lisbon.')
  expect(model.requests).toHaveLength(0)
  await app.keyboard.press('Enter')

  await expect(message(app)).toBeFocused()
  await expect(message(app)).toHaveValue('Plan a day in Lisbon.\n\n> (Notes has the assistant say:)\n> With pleasure.')
  await expect(chips(app)).toHaveText([/Plan a day.*prompt of Notes/, /guide.*Notes/])
  expect(model.requests).toHaveLength(0)
  await app.keyboard.press('Enter')
  await expect(lastAnswer(app)).toContainText('A day by the sea.')
  expect(sent(model)).toContain('A guide to Lisbon.')
})

test('a / or an @ that is only a letter stays one', async ({ app, openGpt, offered }) => {
  expect(offered.note).toBeTruthy()
  await openGpt()
  await message(app).focus()
  await app.keyboard.type('/')
  await expect(app.getByRole('dialog')).toBeVisible()
  await app.keyboard.press('Escape')
  await expect(message(app)).toBeFocused()
  await app.keyboard.type('etc/hosts of ana@example.com')
  await expect(app.getByRole('dialog')).toBeHidden()
  await expect(message(app)).toHaveValue('/etc/hosts of ana@example.com')

  // However the choice is left, one goes on writing where one was.
  for (const leave of [
    () => app.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
    () => app.mouse.click(1190, 10),
  ]) {
    await app.keyboard.type(' @')
    await expect(app.getByRole('dialog')).toBeVisible()
    await leave()
    await expect(app.getByRole('dialog')).toBeHidden()
    await app.keyboard.type('home')
  }
  await expect(message(app)).toHaveValue('/etc/hosts of ana@example.com @home @home')
})

test('files of the user go along as text or picture; what a model cannot read is refused in words', async ({
  app,
  openGpt,
  model,
}) => {
  model.follow([{ text: 'Two and two.' }])
  await openGpt()
  const attach = async (files: { name: string; mimeType: string; buffer: Buffer }[]) => {
    const choosing = app.waitForEvent('filechooser')
    await app.getByRole('button', { name: 'Attach' }).click()
    await app.getByRole('menuitem', { name: 'A file' }).click()
    await (await choosing).setFiles(files)
  }
  await attach([{ name: 'sum.txt', mimeType: 'text/plain', buffer: Buffer.from('2 + 2') }])
  await expect(chips(app)).toHaveText(/sum\.txt.*your file/)
  await attach([{ name: 'program', mimeType: 'text/plain', buffer: Buffer.from(BYTES) }])
  await expect(app.getByRole('alert')).toContainText('program is neither text nor')
  await attach([{ name: 'huge.txt', mimeType: 'text/plain', buffer: Buffer.alloc(5_000_001, 'x') }])
  await expect(app.getByRole('alert')).toContainText('a message takes 5.0 MB')
  await expect(chips(app)).toHaveCount(1)
  await attach([{ name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('more') }])
  await expect(app.getByRole('alert')).toHaveCount(0)
  await app.getByRole('button', { name: 'Remove more.txt' }).click()
  await expect(chips(app)).toHaveCount(1)

  await say(app, 'How much?')
  await expect(lastAnswer(app)).toContainText('Two and two.')
  expect(sent(model)).toContain('2 + 2')
  expect(sent(model)).toContain('a file of the user')
})

test('axe finds nothing where resources and prompts are', async ({ app, openGpt, offered }) => {
  expect(offered.note).toBeTruthy()
  await openGpt()
  await openTab(app, 'resources')
  await offer(app, 'Readme').click()
  await expect(app.getByRole('heading', { name: 'A heading' })).toBeVisible()
  await expectNoFaults(app, 'a resource')
  await offer(app, 'Weather of a city').click()
  await app.getByRole('combobox', { name: 'city' }).fill('l')
  await expect(app.getByRole('option').first()).toBeVisible()
  await expectNoFaults(app, 'a template with suggestions')
  await openTab(app, 'prompts')
  await offer(app, 'Greet').click()
  await expect(app.getByText('Say hello.')).toBeVisible()
  await expectNoFaults(app, 'a prompt')
  await go(app, '/gpt/gpt-Keeper/new')
  await message(app).focus()
  await app.keyboard.type('/')
  await expect(offer(app, 'Plan a day')).toBeVisible()
  await expectNoFaults(app, 'the choice of prompts')
  await offer(app, 'Greet').click()
  await app.getByRole('button', { name: 'Put it into the message' }).click()
  await expect(chips(app)).toHaveCount(1)
  await expectNoFaults(app, 'a draft with an attachment')
})
