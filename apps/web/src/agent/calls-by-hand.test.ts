import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { callDigest } from '#domain/call-digest.ts'
import { Failed } from '#domain/failure.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { Database } from '#storage/db.ts'
import { createTurnStorage } from '#storage/turn-storage.ts'
import { createCallsByHand } from './calls-by-hand.ts'
import type { ToolOutcome } from './needs.ts'
import { createTurns, type TurnNeeds } from './run-turn.ts'

// Real storage; tools, models and the locks of a browser with several tabs are in memory.

interface Tab {
  turns: ReturnType<typeof createTurns>
  states: (string | undefined)[]
  failures: string[]
}

function world() {
  const name = crypto.randomUUID()
  const db = new Database(name)
  const storage = createTurnStorage(db)
  const held = new Set<string>()
  const made: string[] = []
  const answers = new Map<string, (outcome: ToolOutcome | Failed) => void>()
  const waiting: { id: string; reached: () => void }[] = []

  const locks: TurnNeeds['locks'] = {
    async request(lock, _, run) {
      if (held.has(lock)) return run(null)
      held.add(lock)
      try {
        return await run({})
      } finally {
        held.delete(lock)
      }
    },
  }
  const call: TurnNeeds['tools']['call'] = ({ id }, { signal }) =>
    new Promise((resolve, reject) => {
      made.push(id)
      answers.set(id, (outcome) => (outcome instanceof Failed ? reject(outcome) : resolve(outcome)))
      signal.addEventListener('abort', () => reject(new Failed('stopped', 'Stopped.')))
      for (const one of waiting) if (one.id === id) one.reached()
    })

  function tab(): Tab {
    const states: (string | undefined)[] = []
    const failures: string[] = []
    const turns = createTurns({
      storage,
      tools: { toolsOf: async () => ({ tools: [], withheld: [], missing: [] }), call },
      models: {} as TurnNeeds['models'],
      locks,
      now: () => 5,
      newId: () => crypto.randomUUID(),
      growEveryMs: 0,
      progressEveryMs: 0,
      silenceMs: 1_000,
      retryPauseMs: 0,
      onState: (_, state) => states.push(state),
      onFailure: (_, failure) => failures.push(failure.message),
    } as TurnNeeds)
    return { turns, states, failures }
  }

  return {
    db,
    storage,
    made,
    tab,
    reached: (id: string) =>
      made.includes(id) ? Promise.resolve() : new Promise<void>((reached) => waiting.push({ id, reached })),
    answer: (id: string, outcome: ToolOutcome | Failed) => answers.get(id)?.(outcome),
    /** As if the browser had been killed: nobody holds a lock, and nothing is written any more. */
    crash: () => held.clear(),
    call: (id: string) => storage.call(id),
    async until(id: string, status: ToolCall['status']) {
      for (;;) {
        const found = await storage.call(id)
        if (found?.status === status) return found
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
  }
}

async function handCall(id: string, change: Partial<ToolCall> = {}): Promise<ToolCall> {
  const what = { serverId: 's', endpoint: 'e', fingerprint: 'f', toolName: 't', arguments: '{}' }
  return {
    ...what,
    id,
    conversationId: '',
    messageId: '',
    gptId: '',
    serverName: 'Server',
    title: '',
    annotations: {},
    headerArguments: [],
    status: 'pending',
    approval: { state: 'approved', by: 'user', scope: 'once', digest: await callDigest(what), at: 1 },
    createdAt: 1,
    ...change,
  }
}

const DONE: ToolOutcome = { content: [{ type: 'text', text: 'ok' }], isError: false, size: 2 }

test('a call by hand is written down before it is made, runs once, and keeps its result', async () => {
  const w = world()
  const { turns, states } = w.tab()
  await turns.byHand.start(await handCall('a'))
  expect(await w.call('a')).toBeDefined()
  await w.reached('a')
  expect(await w.call('a')).toMatchObject({ status: 'running', startedAt: 5 })
  w.answer('a', DONE)
  expect(await w.until('a', 'success')).toMatchObject({ content: DONE.content, completedAt: 5 })
  expect(w.made).toEqual(['a'])
  expect(states[0]).toBe('running')
})

test('a call whose arguments are not those that the user approved is not made', async () => {
  const w = world()
  await w.tab().turns.byHand.start(await handCall('a', { arguments: '{"all":true}' }))
  expect(await w.until('a', 'error')).toMatchObject({ error: { code: 'bad-arguments' } })
  expect(w.made).toEqual([])
})

test('a call by hand that cannot be written down is not made, and the user hears of it', async () => {
  const w = world()
  const { turns } = w.tab()
  await turns.byHand.start(await handCall('a'))
  await expect(turns.byHand.start(await handCall('a'))).rejects.toThrow(/another tab/)
  await w.reached('a')
  w.answer('a', DONE)
  await w.until('a', 'success')
  await expect(turns.byHand.start(await handCall('a'))).rejects.toThrow()
  expect(w.made).toEqual(['a'])
})

test('a call by hand that storage does not take is not run, and whoever made it hears why', async () => {
  const runs: string[] = []
  const unheard: unknown[] = []
  const byHand = createCallsByHand({
    storage: {
      addCalls: () => Promise.reject(new Failed('storage', 'The disk is full.')),
      unfinishedByHand: async () => [],
      healByHand: async () => {},
    },
    locks: { request: (_, __, run) => run({}) },
    runApproved: async (calls) => void runs.push(...calls.map(({ id }) => id)),
    onRunning: () => {},
    onFailure: (error) => unheard.push(error),
  })
  await expect(byHand.start(await handCall('a'))).rejects.toThrow('The disk is full.')
  expect(runs).toEqual([])
  expect(unheard).toEqual([])
})

test('a call by hand is cancelled while it runs, and a result that comes later changes nothing', async () => {
  const w = world()
  const { turns } = w.tab()
  await turns.byHand.start(await handCall('a'))
  await w.reached('a')
  await turns.cancelCall('a')
  w.answer('a', DONE)
  expect(await w.until('a', 'cancelled')).not.toHaveProperty('content')
})

test('a tab that is opened while a call runs in another leaves it alone', async () => {
  const w = world()
  await w.tab().turns.byHand.start(await handCall('a'))
  await w.reached('a')
  await w.tab().turns.byHand.heal()
  expect(await w.call('a')).toMatchObject({ status: 'running' })
  w.answer('a', DONE)
  await w.until('a', 'success')
  expect(w.made).toEqual(['a'])
})

test('after a crash a call that ran has an unknown outcome, one that had not begun was not made, and neither runs', async () => {
  const w = world()
  await w.tab().turns.byHand.start(await handCall('a'))
  await w.reached('a')
  await w.storage.addCalls([await handCall('b')])
  w.crash()
  await w.tab().turns.byHand.heal()
  expect(await w.call('a')).toMatchObject({ status: 'unknown', error: { code: 'outcome-unknown' } })
  expect(await w.call('b')).toMatchObject({ status: 'cancelled' })
  expect(w.made).toEqual(['a'])
})

test('a call that was asked something goes on once when its answer is stored, whichever tab hears of it', async () => {
  const w = world()
  const [one, other] = [w.tab(), w.tab()]
  await w.storage.addCalls([await handCall('a')])
  const both = Promise.all([one.turns.run(''), other.turns.run('')])
  await w.reached('a')
  w.answer('a', DONE)
  await both
  expect(await w.call('a')).toMatchObject({ status: 'success' })
  expect(w.made).toEqual(['a'])
})
