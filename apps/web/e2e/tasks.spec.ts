import type { Task } from '#domain/task.ts'
import { act, approval, press } from './chat-fixtures.ts'
import { expectNoFaults } from './expect-no-faults.ts'
import { endings, expect, lastAnswer, progress, rowsOf, say, test, WIRES, work } from './task-fixtures.ts'

test.slow()
test.use({ expectedProblems: /Failed to load resource|blocked by CORS policy/ })

const RESEARCH = 'everything__simulate-research-query'

test('the demo bakes a bread while one chats on: asked, answered, told, by the practice model', async ({ app }) => {
  await say(app, 'Bake bread with 400 milliseconds per step')
  await expect(approval(app)).toContainText('Bake bread')
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('when it is done.')
  await expect(app.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  // The conversation is free, and the tray tells of the work on every screen.
  await say(app, 'Hello')
  await expect(lastAnswer(app)).toContainText('practice model')
  await expect(app.getByRole('list', { name: 'Tasks at work' })).toContainText('Bake bread')
  const question = app.getByRole('region', { name: /asks/ })
  await question.getByLabel('Crust').selectOption('dark')
  await act(question.getByRole('button', { name: /^(Submit|Send)/ }))
  await expect(endings(app)).toContainText('Task finished: Bake bread')
  await expect(lastAnswer(app)).toContainText('A dark bread.')
  await expect(app.getByRole('list', { name: 'Tasks at work' })).toHaveCount(0)
})

for (const { title, wire } of WIRES)
  test(`a long tool is a task: the chat goes on, the result is delivered, the model told (${title})`, async ({
    app,
    model,
    tasks,
    openWorker,
  }) => {
    model.follow(({ step, body }) => {
      if (step === 0) return { calls: [work('tasks', { steps: 3, stepMs: 200 })] }
      if (JSON.stringify(body).includes('Done {}')) return { text: 'The work is done.' }
      return { text: step === 1 ? 'It is on its way.' : 'Still waiting.' }
    })
    await openWorker({ tasks: tasks.url }, wire)
    const release = tasks.hold()
    await say(app, 'Begin')
    await expect(lastAnswer(app)).toContainText('It is on its way.')
    await expect(app.getByRole('log')).toContainText(/step \d+ of 3/)
    await say(app, 'And meanwhile?')
    await expect(lastAnswer(app)).toContainText('Still waiting.')
    release()
    await expect(endings(app)).toContainText('Task finished: work')
    await expect(lastAnswer(app)).toContainText('The work is done.')
    expect(tasks.of('tools/call')).toHaveLength(1)
    await endings(app).locator('summary').click()
    await expect(endings(app)).toContainText('Done {}')
  })

test('a task of server-everything, with a question in the middle, in a session', async ({
  app,
  model,
  real,
  openWorker,
}) => {
  model.follow(({ step }) =>
    step === 0
      ? { calls: [{ name: RESEARCH, input: { topic: 'sourdough', ambiguous: true } }] }
      : { text: step === 1 ? 'Researching.' : 'That is the research.' },
  )
  await openWorker({ everything: real.addresses.everything })
  await say(app, 'Research')
  await expect(lastAnswer(app)).toContainText('Researching.')
  const question = app.getByRole('region', { name: /everything asks/ })
  await expect(question).toBeVisible()
  await app.reload()
  await expect(question).toBeVisible()
  await question.getByRole('combobox').first().selectOption({ index: 1 })
  await act(question.getByRole('button', { name: /^(Submit|Send)/ }))
  await expect(endings(app)).toContainText('Task finished')
  await expect(lastAnswer(app)).toContainText('That is the research.')
})

test('[R-41] a running task is cancelled: requested, confirmed by the server, shown, and the model told', async ({
  app,
  model,
  tasks,
  openWorker,
}) => {
  model.follow(({ step, body }) => {
    if (step === 0) return { calls: [work('tasks', { steps: 500, stepMs: 200 })] }
    return { text: JSON.stringify(body).includes('cancelled this call') ? 'Stopped, then.' : 'At work.' }
  })
  await openWorker({ tasks: tasks.url })
  await say(app, 'Begin')
  await expect(lastAnswer(app)).toContainText('At work.')
  await app.getByRole('log').getByRole('button', { name: 'Cancel' }).click()
  await expect(endings(app)).toContainText('Task cancelled')
  await expect(lastAnswer(app)).toContainText('Stopped, then.')
  expect(tasks.of('tasks/cancel').length).toBeGreaterThanOrEqual(1)
})

test('[R-41] a server that does not stop keeps the cancelling a request, and its result counts', async ({
  app,
  model,
  tasks,
  openWorker,
}) => {
  model.follow(({ step }) =>
    step === 0 ? { calls: [work('tasks', { steps: 3, stepMs: 200, stubborn: true })] } : { text: 'At work.' },
  )
  await openWorker({ tasks: tasks.url })
  const release = tasks.hold()
  await say(app, 'Begin')
  // It is a task by now, and no call that can be left.
  await expect(lastAnswer(app)).toContainText('At work.')
  await app.getByRole('log').getByRole('button', { name: 'Cancel' }).click()
  await expect(app.getByRole('log')).toContainText('Cancel requested…')
  release()
  await expect(endings(app)).toContainText('Task finished')
})

test('[R-28] [R-29] reload, a second tab, the first closed: one result, delivered once, the tool called once', async ({
  app,
  model,
  tasks,
  openWorker,
  context,
}) => {
  model.follow(({ step, body }) => {
    if (step === 0) return { calls: [work('tasks', { steps: 3, stepMs: 200 })] }
    return { text: JSON.stringify(body).includes('Done {}') ? 'It is done.' : 'At work.' }
  })
  await openWorker({ tasks: tasks.url })
  const release = tasks.hold()
  await say(app, 'Begin')
  await expect(lastAnswer(app)).toContainText('At work.')
  await app.reload()
  await expect(progress(app)).toBeVisible()
  const other = await context.newPage()
  await other.goto(app.url())
  await expect(progress(other)).toBeVisible()
  await app.close()
  const looks = () => tasks.of('tasks/get').length + tasks.of('subscriptions/listen').length
  const before = looks()
  await expect.poll(looks).toBeGreaterThan(before)
  release()
  await expect(endings(other)).toHaveCount(1)
  await expect(lastAnswer(other)).toContainText('It is done.')
  expect(tasks.of('tools/call')).toHaveLength(1)
  const messages = await rowsOf<{ parts: { type: string }[] }>(other, 'messages')
  expect(messages.filter(({ parts }) => parts[0]?.type === 'task')).toHaveLength(1)
  // One request with the result, not one for each tab.
  expect(model.requests.filter(({ body }) => JSON.stringify(body).includes('Done {}'))).toHaveLength(1)
})

test('a task that its server forgot is lost, not run again, and says so', async ({ app, model, tasks, openWorker }) => {
  model.follow(({ step }) =>
    step === 0 ? { calls: [work('tasks', { steps: 1, stepMs: 600_000, ttlMs: 1500 })] } : { text: 'At work.' },
  )
  await openWorker({ tasks: tasks.url })
  await say(app, 'Begin')
  await expect(endings(app)).toContainText('Task lost')
  await expect(app.getByRole('log')).toContainText('has forgotten')
  expect(model.requests).toHaveLength(2)
  expect(tasks.of('tools/call')).toHaveLength(1)
})

test('[R-38] while its server is away a task says why, and goes on by itself when it is back', async ({
  app,
  model,
  tasks,
  openWorker,
}) => {
  model.follow(({ step }) =>
    step === 0 ? { calls: [work('tasks', { steps: 3, stepMs: 300 })] } : { text: 'At work.' },
  )
  await openWorker({ tasks: tasks.url })
  const release = tasks.hold()
  await say(app, 'Begin')
  await expect(lastAnswer(app)).toContainText('At work.')
  tasks.refuse('server/discover', Infinity, 503)
  await app.reload()
  await expect(app.getByRole('log')).toContainText('Nobody can look at it now')
  tasks.refuse('server/discover', 0, 503)
  release()
  await expect(endings(app)).toContainText('Task finished', { timeout: 90_000 })
  expect(tasks.of('tools/call')).toHaveLength(1)
})

test('the monitor lists tasks at work and finished, of all servers and of one; by keyboard, without a fault for axe', async ({
  app,
  model,
  tasks,
  openWorker,
}) => {
  model.follow(({ step }) =>
    step === 0
      ? {
          calls: [
            work('one', { steps: 1, stepMs: 10 }),
            work('one', { steps: 1, stepMs: 10, outcome: 'fail' }),
            work('two', { steps: 500, stepMs: 200 }),
          ],
        }
      : { text: 'At work.' },
  )
  await openWorker({ one: tasks.url, two: tasks.url })
  await say(app, 'Begin')
  await expect(endings(app)).toHaveCount(2)
  await app.getByRole('link', { name: /^Tasks/ }).click()
  const running = app.getByRole('region', { name: 'At work (1)' })
  const finished = app.getByRole('region', { name: 'Finished' })
  await expect(running.getByRole('listitem')).toHaveCount(1)
  await expect(finished.getByRole('listitem')).toHaveCount(2)
  await expect(finished).toContainText('failed')
  await expectNoFaults(app, 'the tasks')
  const done = finished.getByRole('listitem').filter({ hasText: 'done' })
  await done.getByText('What came of it').click()
  await expect(finished).toContainText('Done {}')
  await app.getByLabel('Server').selectOption('one')
  await expect(app.getByRole('region', { name: /^At work/ })).toHaveCount(0)
  await app.getByLabel('Server').selectOption('two')
  await expect(running.getByRole('listitem')).toHaveCount(1)
  const looks = tasks.of('tasks/get').length
  await running.getByRole('button', { name: 'Look at work now' }).click()
  await expect.poll(() => tasks.of('tasks/get').length).toBeGreaterThan(looks)
  await running.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(finished).toContainText('cancelled')
  // Until its chat is told it is not cleared.
  await expect(finished).not.toContainText('its chat is not told yet')
  await app.getByLabel('Server').selectOption('')
  await app.getByRole('button', { name: 'Clear the finished' }).click()
  await expect(app.getByText('No tasks yet')).toBeVisible()
})

test('what can find a task again lies in the vault alone', async ({ app, model, tasks, openWorker }) => {
  model.follow(({ step }) =>
    step === 0 ? { calls: [work('tasks', { steps: 500, stepMs: 200 })] } : { text: 'At work.' },
  )
  await openWorker({ tasks: tasks.url })
  await say(app, 'Begin')
  await expect(lastAnswer(app)).toContainText('At work.')
  await expect.poll(() => tasks.of('tasks/get').length).toBeGreaterThan(0)
  const taskId = String(tasks.of('tasks/get')[0]?.params['taskId'])
  for (const table of ['mcpTasks', 'mcpToolCalls', 'messages', 'questions', 'settings'])
    expect(JSON.stringify(await rowsOf<Task>(app, table)), table).not.toContain(taskId)
  await app.getByRole('log').getByRole('button', { name: 'Cancel' }).click()
  await expect(endings(app)).toBeVisible()
})
