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

test('with “always ask” a call shows server, tool and arguments, and runs once it is allowed', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow([{ text: 'I will keep it.', calls: [call('note', { text: 'milk' })] }, { text: 'It is kept.' }])
  await openGpt({ approval: 'always-ask' })
  await say(app, 'Keep milk')
  await expect(approval(app)).toContainText('note of Notes')
  await expect(approval(app)).toContainText('"milk"')
  expect(server.ledger.executions).toEqual([])

  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  await expect(callLine(app, 'note')).toContainText('allowed once')
  expect(server.ledger.executionsOf('note')).toBe(1)
  expect(toldIn(model.requests.at(-1))).toContain('Kept the note')
})

test('with “ask unless trusted” a tool that was trusted in the editor runs, and every other asks', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  await openGpt({ approval: 'auto' })
  await say(app, 'Hello')
  await expect(lastAnswer(app)).toContainText('Nothing to say.')
  await app.getByRole('main').getByRole('link', { name: 'Keeper' }).click()
  await app.getByRole('radio', { name: 'Ask unless trusted' }).check()
  await app.getByText('4 tools', { exact: true }).click()
  const note = app.getByRole('listitem').filter({ has: app.getByRole('switch', { name: 'note' }) })
  await note.last().getByRole('button', { name: 'Trust' }).click()
  await expect(note.last().getByRole('button', { name: 'Trusted' })).toBeVisible()
  await expect(app.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()

  model.follow(({ step }) => ({ calls: [call(step === 0 ? 'note' : 'look', { text: 'a' })] }))
  await app.getByRole('link', { name: 'Try it' }).click()
  await say(app, 'Keep and read')
  await expect(approval(app)).toContainText('look of Notes')
  expect(server.ledger.executions.map(({ tool }) => tool)).toEqual(['note'])
})

test('a denied call does not run, and the model is told the reason', async ({ app, model, server, openGpt }) => {
  model.follow([{ calls: [call('note', { text: 'secret' })] }, { text: 'Then not.' }])
  await openGpt()
  await say(app, 'Keep a secret')
  await press(app, 'Deny with a reason')
  await approval(app)
    .getByRole('textbox', { name: /Why not/ })
    .fill('Not in writing, please')
  await press(app, 'Deny')
  await expect(lastAnswer(app)).toContainText('Then not.')
  await expect(lastAnswer(app)).toContainText('You said: Not in writing, please')
  await expect(callLine(app, 'note')).toContainText('denied')
  expect(toldIn(model.requests.at(-1))).toContain('Not in writing, please')
  expect(server.ledger.executions).toEqual([])
})

test('changed arguments are sent as they were changed, and the model is told', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow([{ calls: [call('note', { text: 'proposed' })] }, { text: 'Kept as you said.' }])
  await openGpt()
  await say(app, 'Keep something')
  await approval(app).getByRole('button', { name: 'Edit' }).click()
  const field = approval(app).getByRole('textbox', { name: 'Arguments, as JSON' })
  await field.fill('{"text": "chan')
  await expect(approval(app)).toContainText('not a JSON object yet')
  await expect(approval(app).getByRole('button', { name: 'Allow once' })).toHaveAttribute('aria-disabled', 'true')

  await field.fill('{"text": "changed \\u00e9 ☕ <b>1e3</b>"}')
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('Kept as you said.')
  await expect(callLine(app, 'note')).toContainText('changed by you')
  expect(server.callBodies).toHaveLength(1)
  expect(server.callBodies[0]).toContain('"arguments":{"text":"changed é ☕ <b>1e3</b>"}')
  expect(toldIn(model.requests.at(-1))).toContain('The user changed the arguments')
})

test('a tool that fails is shown, told to the model, and the answer goes on', async ({ app, model, openGpt }) => {
  model.follow([{ calls: [call('broken')] }, { text: 'The shelf is full, sorry.' }])
  await openGpt({ approval: 'auto' })
  await say(app, 'Break it')
  await expect(lastAnswer(app)).toContainText('The shelf is full, sorry.')
  await expect(callLine(app, 'broken')).toContainText('failed')
  await expect(lastAnswer(app)).toContainText('Notes reports that broken failed')
  await expect(lastAnswer(app)).toContainText('The shelf is full: 12 of 12 places are taken.')
  expect(toldIn(model.requests.at(-1))).toContain('12 of 12 places are taken')
})

test('a tool that there is not runs nothing, and the model is told', async ({ app, model, server, openGpt }) => {
  model.follow([{ calls: [call('shred', { text: 'all' })] }, { text: 'I cannot do that.' }])
  await openGpt({ approval: 'auto' })
  await say(app, 'Shred it')
  await expect(lastAnswer(app)).toContainText('There is no tool called "notes__shred"')
  await expect(lastAnswer(app)).toContainText('I cannot do that.')
  expect(toldIn(model.requests.at(-1))).toContain('There is no tool called')
  expect(server.ledger.executions).toEqual([])
})

test('arguments that do not fit the tool are not sent, and the model is told what is wrong', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow([{ calls: [call('note', { words: 'x' })] }, { text: 'I asked for it wrongly.' }])
  await openGpt({ approval: 'auto' })
  await say(app, 'Keep x')
  await expect(lastAnswer(app)).toContainText('I asked for it wrongly.')
  await expect(lastAnswer(app)).toContainText('The arguments do not fit')
  expect(toldIn(model.requests.at(-1))).toContain('text')
  expect(server.ledger.executions).toEqual([])
})

test('a turn stops at the limit of its GPT, and goes on when the user says so', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow(({ step }) => ({ calls: [call('note', { text: `${step}` })] }))
  await openGpt({ approval: 'auto', maxToolCalls: 2 })
  await say(app, 'Go round in circles')
  await expect(lastAnswer(app)).toContainText('stopped after 2 tool calls')
  expect(server.ledger.executionsOf('note')).toBe(2)

  await lastAnswer(app).getByRole('button', { name: 'Continue' }).click()
  await server.untilRun('note', 4)
  await expect(lastAnswer(app).getByRole('button', { name: 'Continue' })).toBeVisible()
  expect(server.ledger.executionsOf('note')).toBe(4)
})

test('one call of two is cancelled while the other goes on', async ({ app, model, server, openGpt }) => {
  model.follow([
    { calls: [call('slow', { mark: 'first' }), call('slow', { mark: 'second' })] },
    { text: 'One of them is done.' },
  ])
  await openGpt()
  await say(app, 'Do both')
  await expect(approval(app)).toContainText('2 tools ask for your permission')
  await press(app, 'Allow all 2 once')
  await server.untilRun('slow', 2)
  await app.getByRole('button', { name: 'Cancel', exact: true }).first().click()
  await expect(app.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(1)
  await server.ledger.until(
    () => server.ledger.disconnects.some(({ arguments: given }) => given['mark'] === 'first'),
    'the end of the first call',
  )
  server.release()
  await expect(lastAnswer(app)).toContainText('One of them is done.')
  await expect(callLine(app, 'slow').first()).toContainText('cancelled')
  const told = toldIn(model.requests.at(-1))
  expect(told).toContain('cancelled')
  expect(told).toContain('Slowly did second.')
  expect(told).not.toContain('Slowly did first.')
})

test('“Stop” ends every call that runs, at the server too, and the chat goes on', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  model.follow([
    { calls: [call('slow', { mark: 'first' }), call('slow', { mark: 'second' })] },
    { text: 'As you wish.' },
  ])
  await openGpt({ approval: 'auto' })
  await say(app, 'Do both')
  await server.untilRun('slow', 2)
  await app.getByRole('button', { name: 'Stop', exact: true }).click()
  await server.ledger.until(() => server.ledger.disconnects.length >= 2, 'the end of both')
  await expect(callLine(app, 'slow')).toContainText([/cancelled/, /cancelled/])
  await expect(app.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)

  await say(app, 'Never mind')
  await expect(lastAnswer(app)).toContainText('As you wish.')
  expect(toldIn(model.requests.at(-1))).toContain('cancelled')
  expect(server.ledger.executionsOf('slow')).toBe(2)
})

const scopes = [
  { answer: 'Allow in this chat', listed: 'in the chat “Keep one”', holds: 'the chat alone' },
  { answer: 'Allow for this GPT', listed: 'for the GPT “Keeper”', holds: 'all chats with the GPT' },
  { answer: 'Always allow', listed: 'in every chat', holds: 'every GPT' },
]
for (const { answer, listed, holds } of scopes) {
  test(`“${answer}” holds for ${holds}, is listed, and asks again once it is taken back`, async ({
    app,
    model,
    server,
    openGpt,
  }) => {
    // Of each pair of answers the first calls and the second reports.
    model.follow(({ step }) =>
      step % 2 === 0 ? { calls: [call('note', { text: `${step}` })] } : { text: `Kept ${(step + 1) / 2}.` },
    )
    await openGpt()
    await say(app, 'Keep one')
    await approval(app).getByRole('button', { name: 'Allow for longer' }).click()
    await expect(approval(app).getByRole('button', { name: 'Allow once' })).not.toHaveAttribute('aria-disabled', 'true')
    await app.getByRole('menuitem', { name: answer }).click()
    await expect(lastAnswer(app)).toContainText('Kept 1.')
    const chat = app.url()

    await say(app, 'Keep two')
    await expect(lastAnswer(app)).toContainText('Kept 2.')

    await openGpt()
    await say(app, 'Another chat')
    if (answer === 'Allow in this chat') await expect(approval(app)).toBeVisible()
    else await expect(lastAnswer(app)).toContainText('Kept 1.')

    await openGpt({ name: 'Other' })
    await say(app, 'Another GPT')
    if (answer === 'Always allow') await expect(lastAnswer(app)).toContainText('Kept 1.')
    else await expect(approval(app)).toBeVisible()

    await openSettings(app, 'Approvals')
    await expect(app.getByRole('listitem').filter({ hasText: listed })).toContainText('note · Notes')
    await app.getByRole('button', { name: 'Take back note' }).click()
    await expect(app.getByRole('heading', { name: 'Nothing is allowed without asking' })).toBeVisible()

    const before = server.ledger.executionsOf('note')
    await app.goto(chat)
    await say(app, 'Keep three')
    await expect(approval(app)).toBeVisible()
    expect(server.ledger.executionsOf('note')).toBe(before)
  })
}

test('a message that waited for an answer does not go past a question; it stays, and the question does too', async ({
  app,
  model,
  server,
  openGpt,
}) => {
  const more = gate()
  model.follow([
    {
      text: 'I shall keep it, if I may, word by word.',
      calls: [call('note', { text: 'milk' })],
      hold: { afterEvents: 3, until: more.opened },
    },
    { text: 'It is kept.' },
  ])
  await openGpt()
  await say(app, 'Keep milk')
  await expect(lastAnswer(app)).toContainText('I shall')
  await say(app, 'And bread')
  await expect(app.getByText('Your message is sent when this is done')).toBeVisible()
  more.open()
  await press(app, 'Allow once')
  await expect(lastAnswer(app)).toContainText('It is kept.')
  await expect(app.getByRole('textbox', { name: 'Message' })).toHaveValue('And bread')
  expect(server.ledger.executionsOf('note')).toBe(1)
  expect(model.requests).toHaveLength(2)
})
