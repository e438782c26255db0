import 'fake-indexeddb/auto'
import { type RealServers, startRealServers } from '@switchboard/testkit'
import { type Exchange, type FaultTool, startFaultServer } from '@switchboard/testkit/fault-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Line } from '#agent/sample-turn.ts'
import type { Question } from '#domain/question.ts'
import { suspendedId } from '#domain/sealed.ts'
import { unfinished } from '#storage/heal.ts'
import { createQuestions } from '#storage/questions.ts'
import { tab, world } from './engine-in-test.ts'

let real: RealServers
beforeAll(async () => {
  real = await startRealServers(['everything', 'twoEras'])
})
afterAll(() => real.stop())

const asks = (tool: string, input = '{}'): Line[] => [
  { calls: [{ name: `server__${tool}`, input }] },
  { text: 'Done.' },
]

describe('without sessions', () => {
  test('a form lets the call wait as `asking`, and its answer is the next round, with the same arguments', async () => {
    const lasting = await world(real.addresses.twoEras)
    await using engine = await tab(lasting, asks('book-table'))
    await engine.turns.run(lasting.conversationId)
    const question = await engine.question()
    expect(question).toMatchObject({ kind: 'form', lasts: true, message: 'Which table?', serverName: 'Server' })
    expect((await engine.call('asking')).toolName).toBe('book-table')
    await engine.turns.answerQuestion({
      questionId: question.id,
      action: 'accept',
      content: { name: 'Grace', guests: 3 },
    })
    const done = await engine.call('success')
    // Exactly what was entered: an untouched checkbox is not "false", and not its default either.
    expect(JSON.parse(engine.textOf(done))).toEqual({ action: 'accept', content: { name: 'Grace', guests: 3 } })
    await engine.turns.run(lasting.conversationId)
    expect(engine.model.asked).toHaveLength(2)
    expect(await engine.vault.open(suspendedId(done))).toBeUndefined()
  })

  test.each(['decline', 'cancel'] as const)('%s is an answer of its own', async (action) => {
    const lasting = await world(real.addresses.twoEras)
    await using engine = await tab(lasting, asks('book-table'))
    await engine.turns.run(lasting.conversationId)
    await engine.turns.answerQuestion({ questionId: (await engine.question()).id, action })
    expect(JSON.parse(engine.textOf(await engine.call('success')))).toEqual({ action })
  })

  test('[R-43] an engine that dies between two rounds: the next one asks, answers, and sends the state back byte for byte', async () => {
    const lasting = await world(real.addresses.twoEras)
    const first = await tab(lasting, asks('survey'))
    await first.turns.run(lasting.conversationId)
    const one = await first.question()
    await first.turns.answerQuestion({ questionId: one.id, action: 'accept', content: { word: 'red' } })
    const two = await first.question()
    expect(two.message).toBe('Second word?')
    const text = JSON.stringify(await first.db.secrets.toArray())
    expect(text).not.toContain('red')
    await first.die()

    await using second = await tab(lasting)
    expect(await unfinished(second.db)).toEqual([])
    await second.turns.run(lasting.conversationId)
    expect((await second.call('asking')).id).toBe(two.toolCallId)
    await second.turns.answerQuestion({ questionId: two.id, action: 'accept', content: { word: 'blue' } })
    const answer = JSON.parse(second.textOf(await second.call('success'))) as Record<string, unknown>
    expect(answer).toEqual({
      state: JSON.stringify({ action: 'accept', content: { word: 'red' } }),
      two: { action: 'accept', content: { word: 'blue' } },
    })
  })

  test('two tabs answer at once: one of them wins, and the round is sent once', async () => {
    const lasting = await world(real.addresses.twoEras)
    await using engine = await tab(lasting, asks('book-table'))
    await engine.turns.run(lasting.conversationId)
    const { id } = await engine.question()
    const answers = await Promise.allSettled(
      ['one', 'two'].map((name) =>
        engine.turns.answerQuestion({ questionId: id, action: 'accept', content: { name, guests: 1 } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [question] = await engine.questions()
    const answer = JSON.parse(engine.textOf(await engine.call('success'))) as { content: unknown }
    expect(answer.content).toEqual(question?.answer)
  })

  test('cancelled while it asks, the call and its question are over, and nothing of it stays in the vault', async () => {
    const lasting = await world(real.addresses.twoEras)
    await using engine = await tab(lasting, asks('book-table'))
    await engine.turns.run(lasting.conversationId)
    const { id, toolCallId } = await engine.question()
    await engine.turns.cancelCall(toolCallId)
    const call = await engine.call('cancelled')
    expect((await engine.questions()).map(({ state }) => state)).toEqual(['cancelled'])
    await expect(engine.turns.answerQuestion({ questionId: id, action: 'decline' })).rejects.toMatchObject({
      failure: { code: 'not-found' },
    })
    expect(await engine.vault.open(suspendedId(call))).toBeUndefined()
  })

  test('an address to visit is kept whole, and accepting it goes on', async () => {
    const lasting = await world(real.addresses.twoEras)
    await using engine = await tab(lasting, asks('pay'))
    await engine.turns.run(lasting.conversationId)
    const question = await engine.question()
    expect(question).toMatchObject({ kind: 'url', url: 'https://pay.example/order/7', message: 'Please pay' })
    await engine.turns.answerQuestion({ questionId: question.id, action: 'accept' })
    expect(JSON.parse(engine.textOf(await engine.call('success')))).toEqual({ action: 'accept' })
  })

  test('[A5.4] a server that may not have answers of a model does not get to ask for one', async () => {
    const lasting = await world(real.addresses.twoEras)
    await using engine = await tab(lasting, asks('summarise'))
    await engine.turns.run(lasting.conversationId)
    expect((await engine.call('error', 'success')).status).toBe('error')
    expect(await engine.questions()).toEqual([])
  })

  test('[A5.4] one that may: what a model is to read is shown, and nothing is sent before there is an answer', async () => {
    const lasting = await world(real.addresses.twoEras, { sampling: true })
    await using engine = await tab(lasting, asks('summarise'))
    await engine.turns.run(lasting.conversationId)
    const question = await engine.question()
    expect(question.sampling).toEqual({ messages: [{ role: 'user', text: 'Summarise: all is well.' }], maxTokens: 20 })
    await expect(engine.turns.answerQuestion({ questionId: question.id, action: 'accept' })).rejects.toThrow(
      /no answer of the model/,
    )
    const answer = { text: 'All is well.', model: 'model' }
    await createQuestions(engine.db).changeQuestion(question.id, {
      sampling: { ...(question.sampling as NonNullable<Question['sampling']>), answer },
    })
    await engine.turns.answerQuestion({ questionId: question.id, action: 'accept', seen: answer.text })
    expect(JSON.parse(engine.textOf(await engine.call('success')))).toMatchObject({
      role: 'assistant',
      model: 'model',
      content: { type: 'text', text: 'All is well.' },
    })
  })

  test('[A5.5] roots are not offered: a tool that asks for them fails in words', async () => {
    const lasting = await world(real.addresses.twoEras)
    await using engine = await tab(lasting, asks('where'))
    await engine.turns.run(lasting.conversationId)
    expect((await engine.call('error')).error?.code).toMatch(/protocol|tool-failed|bad-arguments/)
  })
})

describe('with sessions', () => {
  test('a form of server-everything is answered on the connection, while the call runs', async () => {
    const lasting = await world(real.addresses.everything)
    await using engine = await tab(lasting, asks('trigger-elicitation-request'))
    const turn = engine.turns.run(lasting.conversationId)
    const question = await engine.question()
    expect(question).toMatchObject({ kind: 'form', lasts: false, resumable: true })
    expect((await engine.call('running')).id).toBe(question.toolCallId)
    await engine.turns.answerQuestion({ questionId: question.id, action: 'accept', content: { name: 'Grace' } })
    await turn
    const done = await engine.call('success')
    expect(JSON.stringify(done.content)).toContain('Grace')
    expect(JSON.stringify(done.content)).not.toContain('"check\\": false')
    expect(await engine.vault.open(suspendedId(done))).toBeUndefined()
  })

  test('an engine that dies while server-everything waits: the next one answers in the same session, and has the result', async () => {
    const lasting = await world(real.addresses.everything)
    const first = await tab(lasting, asks('trigger-elicitation-request'))
    void first.turns.run(lasting.conversationId)
    const question = await first.question()
    await first.die()

    await using second = await tab(lasting, asks('never'))
    expect(await unfinished(second.db)).toEqual([lasting.conversationId])
    await second.turns.run(lasting.conversationId)
    expect((await second.call('asking')).id).toBe(question.toolCallId)
    await second.turns.answerQuestion({ questionId: question.id, action: 'accept', content: { name: 'Grace' } })
    const done = await second.call('success', 'unknown', 'error')
    expect(done.error).toBeUndefined()
    expect(JSON.stringify(done.content)).toContain('Grace')
  })

  test('a session that is gone by then: the outcome is unknown, and the tool is not run again', async () => {
    const lasting = await world(real.addresses.everything)
    const first = await tab(lasting, asks('trigger-elicitation-request'))
    void first.turns.run(lasting.conversationId)
    const question = await first.question()
    const sealed = await first.vault.open(suspendedId({ id: question.toolCallId, serverId: 'server' }))
    const { session } = JSON.parse(sealed ?? '') as { session: { sessionId: string } }
    await first.die()
    await fetch(real.addresses.everything, { method: 'DELETE', headers: { 'mcp-session-id': session.sessionId } })

    await using second = await tab(lasting)
    await second.turns.run(lasting.conversationId)
    await second.turns.answerQuestion({ questionId: question.id, action: 'accept', content: {} })
    expect((await second.call('unknown', 'success', 'error')).status).toBe('unknown')
  })

  test('sampling of server-everything: declined, the server is told so and the call ends', async () => {
    const lasting = await world(real.addresses.everything, { sampling: true })
    await using engine = await tab(lasting, asks('trigger-sampling-request', '{"prompt":"hello"}'))
    const turn = engine.turns.run(lasting.conversationId)
    const question = await engine.question()
    expect(question.sampling?.messages[0]?.text).toContain('hello')
    await engine.turns.answerQuestion({ questionId: question.id, action: 'decline' })
    await turn
    expect((await engine.call('error', 'success')).status).toBe('error')
  })
})

/** A tool without sessions that asks in every round until it has been answered so often. */
const nagging = (rounds: number, request: object): FaultTool => ({
  run(given, { params }) {
    const round = Number(params['requestState'] ?? 0)
    if (round >= rounds) return { content: [{ type: 'text', text: JSON.stringify(params['inputResponses']) }] }
    return { resultType: 'input_required', inputRequests: { one: request }, requestState: String(round + 1) }
  },
})
const FORM = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Your favourite colour?',
    requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
  },
}
const SAMPLE = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Think hard.' } }], maxTokens: 1_000_000 },
}

/** A server with sessions whose tool sends all these at once, and ends when each of them has been answered. */
async function floodServer(count: number, request: object) {
  const answers: object[] = []
  const waiting = new Map<number, () => void>()
  const answered = (many: number) => new Promise<void>((resolve) => void waiting.set(many, resolve))
  const isOver = answered(count)
  const flood = async (exchange: Exchange) => {
    if (exchange.method === undefined && exchange.id !== undefined) {
      answers.push(exchange.message ?? {})
      waiting.get(answers.length)?.()
    }
    if (exchange.method !== 'tools/call') return
    const stream = exchange.stream()
    for (let at = 0; at < count; at += 1) await stream.message({ jsonrpc: '2.0', id: `ask-${at}`, ...request })
    await isOver
    await stream.message({ jsonrpc: '2.0', id: exchange.id, result: { content: [{ type: 'text', text: 'Over.' }] } })
    stream.end()
  }
  const server = await startFaultServer({ era: 'sessions', tools: { flood: {} }, onRequest: flood })
  return { server, answers, answered }
}

describe('a server that asks too much', () => {
  test('[A5.3] three noes, and the rest of the call is answered with no and puts nothing to the user', async () => {
    await using far = await startFaultServer({ era: 'stateless', tools: { nag: nagging(7, FORM) } })
    const lasting = await world(far.url)
    await using engine = await tab(lasting, asks('nag'))
    await engine.turns.run(lasting.conversationId)
    for (let noes = 0; noes < 3; noes += 1)
      await engine.turns.answerQuestion({ questionId: (await engine.question()).id, action: 'decline' })
    const done = await engine.call('success')
    expect(JSON.parse(engine.textOf(done))).toEqual({ one: { action: 'decline' } })
    const all = await engine.questions()
    expect(all.filter(({ refused }) => refused === undefined)).toHaveLength(3)
    expect(all.filter(({ refused }) => refused?.startsWith('You said no three times'))).toHaveLength(4)
  })

  test('[A5.3] the next call may ask again', async () => {
    await using far = await startFaultServer({ era: 'stateless', tools: { nag: nagging(4, FORM) } })
    const lasting = await world(far.url)
    await using engine = await tab(lasting, [
      { calls: [{ name: 'server__nag', input: '{}' }] },
      { calls: [{ name: 'server__nag', input: '{"again":true}' }] },
      { text: 'Done.' },
    ])
    await engine.turns.run(lasting.conversationId)
    for (let noes = 0; noes < 3; noes += 1)
      await engine.turns.answerQuestion({ questionId: (await engine.question()).id, action: 'decline' })
    const first = await engine.call('success')
    const next = await engine.question()
    expect(next.toolCallId).not.toBe(first.id)
  })

  test('[A5.4] without sessions: the sixth answer of a model ends the call, in words', async () => {
    await using far = await startFaultServer({ era: 'stateless', tools: { drain: nagging(8, SAMPLE) } })
    const lasting = await world(far.url, { sampling: true })
    await using engine = await tab(lasting, asks('drain'))
    await engine.turns.run(lasting.conversationId)
    for (let given = 0; given < 5; given += 1) {
      const { id, sampling } = await engine.question()
      // However many it would like.
      expect(sampling?.maxTokens).toBe(2_000)
      const answer = { text: 'Done.', model: 'model' }
      await createQuestions(engine.db).changeQuestion(id, {
        sampling: { ...(sampling as NonNullable<Question['sampling']>), answer },
      })
      await engine.turns.answerQuestion({ questionId: id, action: 'accept', seen: answer.text })
    }
    expect((await engine.call('error')).error?.message).toContain('more than 5 answers of a model in one call')
  })

  test('[A5.4] a hundred requests for a model at once: five are put to the user, the rest are refused', async () => {
    const { server: far, answers, answered } = await floodServer(100, SAMPLE)
    const refused = answered(95)
    const lasting = await world(far.url, { sampling: true })
    await using engine = await tab(lasting, asks('flood'))
    const turn = engine.turns.run(lasting.conversationId)
    await refused
    const open = (await engine.questions()).filter(({ state }) => state === 'open')
    expect(open).toHaveLength(5)
    for (const { id } of open) await engine.turns.answerQuestion({ questionId: id, action: 'decline' })
    await turn
    expect(engine.textOf(await engine.call('success'))).toBe('Over.')
    expect(answers).toHaveLength(100)
    for (const answer of answers) expect(answer).toHaveProperty('error')
    const all = await engine.questions()
    expect(all.filter(({ refused }) => refused === undefined)).toHaveLength(5)
    expect(all.length).toBeLessThanOrEqual(20)
    // Only the turn itself asked the model.
    expect(engine.model.asked).toHaveLength(2)
    await far.close()
  })

  test('[A5.4] a hundred requests of a server that may not have answers of a model: nobody hears of them', async () => {
    const { server: far, answers } = await floodServer(100, SAMPLE)
    const lasting = await world(far.url)
    await using engine = await tab(lasting, asks('flood'))
    await engine.turns.run(lasting.conversationId)
    for (const answer of answers) expect(answer).toHaveProperty('error')
    expect(await engine.questions()).toEqual([])
    await far.close()
  })

  test('[A5.4] what other calls asked for within the hour counts, and what is older does not', async () => {
    await using far = await startFaultServer({ era: 'stateless', tools: { drain: nagging(1, SAMPLE) } })
    const lasting = await world(far.url, { sampling: true })
    await using engine = await tab(lasting, [...asks('drain').slice(0, 1), ...asks('drain', '{"again":true}')])
    const past = (createdAt: number): Question => ({
      id: crypto.randomUUID(),
      toolCallId: 'earlier',
      conversationId: 'earlier',
      serverId: 'server',
      serverName: 'Server',
      kind: 'sampling',
      lasts: true,
      state: 'accepted',
      message: '',
      createdAt,
    })
    const anHourAgo = Date.now() - 3_600_000 - 1
    await engine.db.questions.bulkAdd(Array.from({ length: 20 }, () => past(anHourAgo)))
    await engine.turns.run(lasting.conversationId)
    const { id } = await engine.question()
    await engine.db.questions.bulkAdd(Array.from({ length: 19 }, () => past(Date.now())))
    await engine.turns.answerQuestion({ questionId: id, action: 'decline' })
    expect((await engine.call('error')).error?.message).toContain('more than 20 answers of a model within an hour')
  })
})
