import type { Page } from '@playwright/test'
import {
  approval,
  call,
  callLine,
  expect,
  gate,
  lastAnswer,
  openSettings,
  press,
  say,
  test,
  toldIn,
} from './chat-fixtures.ts'
import { startScriptedModel } from './scripted-model.ts'

const KEY = 'sk-test-4711-canary'

const formats = [
  { preset: 'OpenAI', api: 'Responses', format: 'responses', wire: { kind: 'openai', api: 'responses' } },
  { preset: 'OpenAI', api: 'Chat completions', format: 'chat', wire: { kind: 'openai', api: 'chat' } },
  { preset: 'Anthropic', api: '', format: 'messages', wire: { kind: 'anthropic', api: 'chat' } },
  { preset: 'Another', api: '', format: 'chat', wire: { kind: 'compatible', api: 'chat' } },
] as const

for (const { preset, api, format, wire } of formats) {
  const header = preset === 'Anthropic' ? 'x-api-key' : 'authorization'
  const title = [preset, api].filter(Boolean).join(', ')
  test(`a model is connected by its key and has two tools called at once: ${title}`, async ({ app }) => {
    const model = await startScriptedModel({ key: KEY, models: ['small', 'large'] })
    const more = gate()
    const forecast = (city: string) => ({ name: 'demo_tools__forecast', input: { city, days: 2 } })
    model.follow([
      {
        text: 'Let me look at both cities, one after the other, and then compare.',
        calls: [forecast('Oslo'), forecast('Rome')],
        usage: { input: 120, output: 34 },
        hold: { afterEvents: 6, until: more.opened },
      },
      { text: 'Rome is **warmer**.', usage: { input: 200, output: 6 } },
    ])
    await connectModel(app, { preset, api, url: model.url })
    expect(model.listings.at(-1)?.headers[header]).toContain(KEY)
    await useInDemoAssistant(app, 'Tested')

    await say(app, 'Where is it warmer, in Oslo or in Rome?')
    // Half of the sentence is there while the service holds the rest back.
    await expect(lastAnswer(app)).toContainText('Let me')
    await expect(lastAnswer(app)).not.toContainText('compare')
    more.open()
    await expect(lastAnswer(app)).toContainText('and then compare.')

    await expect(approval(app)).toHaveCount(1)
    await expect(approval(app)).toContainText('2 tools ask for your permission')
    await expect(approval(app)).toContainText('"Oslo"')
    await expect(approval(app)).toContainText('"Rome"')
    await expect(approval(app).getByRole('combobox', { name: 'Answer for forecast' })).toHaveCount(2)
    await press(app, 'Allow all 2 once')

    await expect(lastAnswer(app)).toContainText('Rome is warmer.')
    await expect(lastAnswer(app).locator('strong', { hasText: 'warmer' })).toBeVisible()
    await expect(lastAnswer(app)).toContainText('360 tokens')
    const last = model.requests.at(-1)
    expect(model.requests.map((request) => request.format)).toEqual([format, format])
    expect(last?.headers[header]).toContain(KEY)
    expect(JSON.stringify(last?.results[0]?.output)).toContain('Oslo')
    expect(JSON.stringify(last?.results[1]?.output)).toContain('Rome')
    await model.close()
  })

  test(`calls are trusted, changed, denied and fail, and the model hears of each: ${title}`, async ({
    app,
    model,
    server,
    openGpt,
  }) => {
    model.follow([
      {
        calls: [
          call('look', { text: 'list' }),
          call('note', { text: 'proposed' }),
          call('broken'),
          call('slow', { mark: 'denied' }),
        ],
      },
      { text: 'Two of four went well.' },
    ])
    await openGpt({ wire, approval: 'trusted-only', isServerTrusted: true })
    await say(app, 'Do all four')
    await expect(approval(app)).toContainText('3 tools ask for your permission')
    await approval(app).getByRole('button', { name: 'Edit' }).first().click()
    await approval(app).getByRole('textbox', { name: 'Arguments, as JSON' }).fill('{"text":"changed"}')
    await approval(app).getByRole('combobox', { name: 'Answer for slow' }).selectOption('Deny')
    await approval(app)
      .getByRole('textbox', { name: /Why not/ })
      .fill('Too slow for me')
    await press(app, 'Allow 2, deny 1')

    await expect(lastAnswer(app)).toContainText('Two of four went well.')
    await expect(callLine(app, 'look')).toContainText('allowed by policy')
    await expect(callLine(app, 'note')).toContainText('changed by you')
    await expect(callLine(app, 'broken')).toContainText('failed')
    await expect(callLine(app, 'slow')).toContainText('denied')
    expect(server.ledger.executions.map(({ tool }) => tool).toSorted()).toEqual(['broken', 'look', 'note'])
    expect(server.callBodies.find((body) => body.includes('"note"'))).toContain('"arguments":{"text":"changed"}')
    const outputs = model.requests.at(-1)?.results.map(({ output }) => JSON.stringify(output)) ?? []
    expect(outputs).toHaveLength(4)
    for (const [at, said] of ['Read the note', 'The user changed', 'places are taken', 'Too slow for me'].entries())
      expect(outputs[at]).toContain(said)
  })

  test(`with “run by itself” the model gets its result without a question: ${title}`, async ({
    app,
    model,
    openGpt,
  }) => {
    model.follow([{ text: 'Keeping.', calls: [call('note', { text: 'milk' })] }, { text: 'It is kept.' }])
    await openGpt({ wire, approval: 'auto' })
    await say(app, 'Keep milk')
    await expect(lastAnswer(app)).toContainText('It is kept.')
    expect(model.requests.map((request) => request.format)).toEqual([format, format])
    expect(toldIn(model.requests.at(-1))).toContain('Kept the note')
  })
}

interface Connection {
  preset: string
  api: string
  url: string
}

async function connectModel(app: Page, { preset, api, url }: Connection): Promise<void> {
  await openSettings(app, 'Models')
  await app.getByRole('button', { name: 'Connect a model' }).click()
  await app.getByRole('menuitem', { name: new RegExp(`^${preset}`) }).click()
  const form = app.getByRole('dialog')
  await form.getByLabel('Name').fill('Tested')
  await form.getByLabel('Address').fill(url)
  if (api) await form.getByLabel('Interface').selectOption(api)
  await form.getByLabel('Key').fill(KEY)
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form).toContainText('2 models: large, small')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(app.getByRole('listitem').filter({ hasText: url })).toContainText('key stored')
}

async function useInDemoAssistant(app: Page, service: string): Promise<void> {
  await app.getByRole('link', { name: 'Make and edit GPTs' }).click()
  await app.getByRole('button', { name: 'What to do with Demo assistant' }).click()
  await app.getByRole('menuitem', { name: 'Edit' }).click()
  await app.getByLabel('Service').selectOption(service)
  await expect(app.getByLabel('Model', { exact: true })).toHaveValue('large')
  await app.getByLabel('Model', { exact: true }).fill('small')
  await app.getByRole('link', { name: 'Try it' }).click()
  await expect(app.getByRole('banner').or(app.locator('header'))).toContainText('small')
}
