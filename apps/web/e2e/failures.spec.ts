import { call, expect, gate, lastAnswer, openSettings, say, test } from './chat-fixtures.ts'
import { startScriptedModel } from './scripted-model.ts'

// The browser itself notes a request that failed.
test.use({ expectedProblems: /Failed to load resource|blocked by CORS policy/ })

const refusals = [
  {
    what: 'a wrong key',
    refusal: { status: 401, message: 'Incorrect API key provided: sk-canary-1234567890', code: 'invalid_api_key' },
    title: 'The key was refused',
    next: 'Check the key',
  },
  {
    what: 'an unknown model',
    refusal: { status: 404, message: 'The model `one` does not exist', code: 'model_not_found' },
    title: 'The service does not have this model',
    next: 'Choose a model',
  },
  {
    what: 'a conversation that is too long',
    refusal: { status: 400, message: 'maximum context length is 8192 tokens', code: 'context_length_exceeded' },
    title: 'The conversation is too long for this model',
    next: 'New chat',
  },
  {
    what: 'a rate limit that lasts',
    refusal: { status: 429, message: 'Slow down', type: 'rate_limit_error', headers: { 'retry-after': '300' } },
    title: 'Too many requests for now',
    next: 'Try again',
  },
]
for (const { what, refusal, title, next } of refusals) {
  test(`${what} is named, with the next step, and the question can be asked again`, async ({ app, model, openGpt }) => {
    model.follow(() => ({ refusal }))
    await openGpt()
    await say(app, 'Hello')
    await expect(lastAnswer(app).getByRole('alert')).toContainText(title)
    const step = lastAnswer(app).getByRole('alert')
    await expect(step.getByRole('button', { name: next }).or(step.getByRole('link', { name: next }))).toBeVisible()
    await expect(app.getByText('sk-canary')).toHaveCount(0)

    model.follow(() => ({ text: 'Now it works.' }))
    await lastAnswer(app).getByRole('button', { name: 'Try again' }).click()
    await expect(lastAnswer(app)).toContainText('Now it works.')
  })
}

test('a rate limit that passes is waited for without a word', async ({ app, model, openGpt }) => {
  model.follow(() =>
    model.requests.length === 1
      ? { refusal: { status: 429, message: 'Slow down', headers: { 'retry-after': '0' } } }
      : { text: 'Here I am.' },
  )
  await openGpt()
  await say(app, 'Hello')
  await expect(lastAnswer(app)).toContainText('Here I am.')
  await expect(lastAnswer(app).getByRole('alert')).toHaveCount(0)
  expect(model.requests).toHaveLength(2)
})

test('a service that is down is named, with what to check', async ({ app, model, openGpt }) => {
  await openGpt()
  await model.close()
  await say(app, 'Hello')
  const alert = lastAnswer(app).getByRole('alert')
  await expect(alert).toContainText(`${new URL(model.url).host} does not answer`)
  await expect(alert).toContainText('start it, and allow this page')
  await expect(alert.getByRole('link', { name: 'Check the address' })).toBeVisible()
})

test('a connection that breaks in the middle keeps what was said, and continues', async ({ app, model, openGpt }) => {
  model.follow([
    { text: 'One two three four five.', hold: { afterEvents: 4, until: gate().opened } },
    { text: 'And the rest.' },
  ])
  await openGpt()
  await say(app, 'Count')
  await expect(lastAnswer(app)).toContainText('One two three')
  model.requests[0]?.hangUp()
  await expect(lastAnswer(app).getByRole('alert')).toContainText('broke off')
  await expect(lastAnswer(app)).toContainText('One two three')
  await lastAnswer(app).getByRole('button', { name: 'Try again' }).click()
  await expect(lastAnswer(app)).toContainText('And the rest.')
  expect(model.requests).toHaveLength(2)
})

for (const wire of [
  { kind: 'openai', api: 'responses' },
  { kind: 'openai', api: 'chat' },
  { kind: 'anthropic', api: 'chat' },
] as const)
  for (const how of ['hold', 'end'] as const)
    test(`[R-44] a stream of ${wire.kind} (${wire.api}) that ${how === 'end' ? 'ends' : 'is cut'} in the middle of a call runs no tool`, async ({
      app,
      model,
      server,
      openGpt,
    }) => {
      const long = call('note', { text: 'milk '.repeat(1_000) })
      model.follow(() =>
        model.requests.length === 1
          ? { text: 'I shall keep it.', calls: [long], cut: { afterBytes: 4_000, how } }
          : model.requests.length === 2
            ? { calls: [call('note', { text: 'bread' })] }
            : { text: 'It is kept.' },
      )
      // Nobody would be asked.
      await openGpt({ wire, approval: 'auto' })
      await say(app, 'Keep it')
      await expect(lastAnswer(app)).toContainText('I shall keep it.')
      if (how === 'hold') model.requests[0]?.hangUp()
      await expect(lastAnswer(app).getByRole('alert')).toBeVisible()
      expect(model.requests).toHaveLength(1)
      expect(server.ledger.executions).toEqual([])

      await lastAnswer(app).getByRole('button', { name: 'Try again' }).click()
      await expect(lastAnswer(app)).toContainText('It is kept.')
      expect(server.ledger.executions.map((one) => one.arguments)).toEqual([{ text: 'bread' }])
    })

test('the test of a connection tells a wrong key from a service that forbids pages', async ({ app }) => {
  const strict = await startScriptedModel({ key: 'sk-right-key-0000' })
  const closed = await startScriptedModel({ cors: false })
  await openSettings(app, 'Models')
  await app.getByRole('button', { name: 'Connect a model' }).click()
  await app.getByRole('menuitem', { name: 'Another' }).click()
  const form = app.getByRole('dialog')
  await form.getByLabel('Name').fill('Mine')
  await form.getByLabel('Address').fill(strict.url)
  await form.getByLabel('Key').fill('sk-wrong-key-9999')
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByRole('alert')).toContainText('The key was refused')
  await expect(form.getByText('sk-wrong-key-9999')).toHaveCount(0)

  await form.getByLabel('Address').fill(closed.url)
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByRole('alert')).toContainText('The service does not answer this page')
  await expect(form.getByRole('alert')).toContainText('does not let this page in')
  await strict.close()
  await closed.close()
})

test('a connection that breaks before the first word is made once more without a word', async ({
  app,
  model,
  openGpt,
}) => {
  model.follow(() =>
    model.requests.length === 1 ? { cut: { afterBytes: 40, how: 'hang-up' } } : { text: 'Here I am.' },
  )
  await openGpt()
  await say(app, 'Hello')
  await expect(lastAnswer(app)).toContainText('Here I am.')
  await expect(lastAnswer(app).getByRole('alert')).toHaveCount(0)
  expect(model.requests).toHaveLength(2)
})

test('[R-26] offline is said, and what was asked is answered when the network is back, each time', async ({
  app,
  context,
  model,
  openGpt,
}) => {
  model.follow(() => ({ text: `Answer number ${model.requests.length}.` }))
  // What draws a conversation is there; what talks to this model is not yet.
  await say(app, 'Hello, practice model')
  await expect(lastAnswer(app)).toContainText('practice model')
  await openGpt()
  for (const [round, text] of ['could not be loaded', 'this device is offline'].entries()) {
    await context.setOffline(true)
    await say(app, 'Hello')
    await expect(lastAnswer(app).getByRole('alert')).toContainText(text)
    await context.setOffline(false)
    await lastAnswer(app).getByRole('button', { name: 'Try again' }).click()
    await expect(lastAnswer(app)).toContainText(`Answer number ${round + 1}.`)
  }
})
