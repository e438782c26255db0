import { expect, test } from 'vitest'
import type { ToolCall } from '#domain/tool-call.ts'
import {
  CONVERSATION,
  memoryStorage,
  sampleModel,
  sampleTool,
  sampleTools,
  sampleTurns,
  textOutcome,
} from './sample-turn.ts'

const ENDED = new Set(['success', 'error', 'cancelled', 'unknown'])

/** A few turns of the event loop, as many as the dice say. */
const pause = async (turns: number) => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

function dice(seed: number) {
  let state = seed * 7_919 + 1
  return (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
}

test('[R-41] in 1,000 random orders of cancel, stop and result every call ends once and runs at most once', async () => {
  for (let round = 0; round < 1_000; round += 1) {
    const roll = dice(round)
    const storage = memoryStorage()
    const tools = sampleTools(
      [sampleTool('a'), sampleTool('b'), sampleTool('c')],
      async ({ toolName }, { signal, onProgress }) => {
        onProgress({ progress: roll(9) })
        await pause(roll(6))
        // One in three takes notice of a cancellation, one fails, and one answers whatever happens.
        if (toolName === 'a') signal.throwIfAborted()
        if (toolName === 'b' && roll(2) === 0) throw new Error('broke')
        return textOutcome('ok')
      },
    )
    const calls = ['a', 'b', 'c'].map((name) => ({ name: `server__${name}`, input: '{}' }))
    const tab = sampleTurns({ storage, tools, models: sampleModel([{ calls }]) })

    // Every change of a status is written down; a call that has ended must not change any more.
    const ends = new Map<string, string[]>()
    const watched = storage.changeCall
    storage.changeCall = async (id, from, change) => {
      const isDone = await watched(id, from, change)
      if (isDone && change.status !== undefined && ENDED.has(change.status))
        ends.set(id, [...(ends.get(id) ?? []), change.status])
      return isDone
    }

    await storage.say('go')
    const turn = tab.run(CONVERSATION)
    const deeds = Array.from({ length: 1 + roll(4) }, async () => {
      await pause(roll(10))
      const known = [...storage.calls.values()] as ToolCall[]
      const target = known[roll(3)]
      if (roll(3) === 0) await tab.stop(CONVERSATION)
      else if (target) await tab.cancelCall(target.id)
    })
    await Promise.all([turn, ...deeds])
    await tab.run(CONVERSATION)

    for (const call of storage.calls.values()) {
      expect(ENDED, `round ${round}: ${call.toolName}`).toContain(call.status)
      expect(ends.get(call.id), `round ${round}: ${call.toolName}`).toEqual([call.status])
      expect(tools.executed.filter(({ id }) => id === call.id).length).toBeLessThanOrEqual(1)
      if (call.status === 'cancelled') expect(call.content).toBeUndefined()
    }
    expect(tab.failures).toEqual([])
    expect([...storage.messages.values()].every(({ status }) => status !== 'streaming')).toBe(true)
  }
})

test('[R-41] what is stored while a turn is putting its lock down is seen: nobody else would look', async () => {
  const storage = memoryStorage()
  let isDone!: () => void
  let release!: () => void
  const done = new Promise<void>((resolve) => (isDone = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const model = sampleModel([{ text: 'First.' }, { text: 'Second.' }])
  const tab = sampleTurns({
    storage,
    tools: sampleTools([]),
    models: model,
    locks: {
      async request(name, _, run) {
        const value = await run({ name })
        isDone()
        await released
        return value
      },
    },
  })
  await storage.say('one')
  const turn = tab.run(CONVERSATION)
  await done
  await storage.say('two')
  const late = tab.run(CONVERSATION)
  release()
  await Promise.all([turn, late])
  expect(model.asked).toHaveLength(2)
  expect(storage.texts().at(-1)).toBe('assistant done: Second.')
})
