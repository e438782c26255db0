import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { Question } from '#domain/question.ts'
import { Database } from '#storage/db.ts'
import { createTurnStorage } from '#storage/turn-storage.ts'
import { newGpt } from '#storage/gpts.ts'
import { answerQuestion } from './answer-question.ts'
import { draftSample, type SampleNeeds } from './draft-sample.ts'

async function begin() {
  const db = new Database(crypto.randomUUID())
  const storage = createTurnStorage(db)
  const sampling = { messages: [{ role: 'user' as const, text: 'Summarise.' }], maxTokens: 20 }
  const question: Question = {
    id: 'q',
    toolCallId: 'call',
    conversationId: '',
    serverId: 's',
    serverName: 'Asker',
    kind: 'sampling',
    lasts: false,
    state: 'open',
    message: '',
    sampling,
    createdAt: 1,
  }
  await db.questions.put(question)
  let calls = 0
  const doStream = async () => {
    calls += 1
    return {
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'text-delta', id: '1', delta: `Answer ${calls}` })
          controller.close()
        },
      }),
    }
  }
  const models = {
    modelOf: async () => ({ model: { doStream }, name: 'Model', explain: (error: unknown) => error }),
  } as unknown as SampleNeeds['models']
  const draft = (seen?: string) =>
    draftSample({ storage, models, defaultGpt: async () => newGpt({}), silenceMs: 60_000 }, 'q', seen)
  const send = (seen: string, through = storage) =>
    answerQuestion({ storage: through, now: () => 2 }, { questionId: 'q', action: 'accept', seen })
  const stored = async () => {
    const { state, sampling: said } = (await storage.question('q')) as Question
    return { state, text: said?.answer?.text }
  }
  const put = (text: string) =>
    storage.changeQuestion('q', { sampling: { ...sampling, answer: { text, model: 'Model' } } })
  return { storage, draft, send, stored, put, calls: () => calls }
}

test('[A5.4] of two answers of the model, only the one that was on the screen is sent', async () => {
  const { draft, send, stored } = await begin()
  await draft()
  await draft('Answer 1')
  await expect(send('Answer 1')).rejects.toMatchObject({
    failure: { message: 'The answer has changed meanwhile. Look at it again, then send it.' },
  })
  expect(await stored()).toEqual({ state: 'open', text: 'Answer 2' })
  await send('Answer 2')
  expect(await stored()).toEqual({ state: 'accepted', text: 'Answer 2' })
})

test('[A5.4] also where another answer comes while the one on the screen is being sent', async () => {
  const { storage, send, stored, put } = await begin()
  await put('Seen')
  await send('Seen', {
    ...storage,
    async settleQuestion(...settling) {
      await put('Unseen')
      return storage.settleQuestion(...settling)
    },
  })
  expect(await stored()).toEqual({ state: 'accepted', text: 'Seen' })
})

test('who has not seen the answer that is there pays for no other', async () => {
  const { draft, stored, calls } = await begin()
  await draft()
  await draft()
  expect(calls()).toBe(1)
  await draft('Answer 1')
  await draft('Answer 1')
  expect(calls()).toBe(2)
  expect(await stored()).toEqual({ state: 'open', text: 'Answer 2' })
})
