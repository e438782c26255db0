import { expect, test } from 'vitest'
import {
  CONVERSATION,
  memoryLocks,
  memoryStorage,
  sampleGpt,
  sampleModel,
  sampleTool,
  sampleTools,
  sampleTurns,
} from './sample-turn.ts'

class Crash extends Error {}

const LINES = [
  {
    text: 'First.',
    calls: [
      { name: 'server__a', input: '{}' },
      { name: 'server__b', input: '{"n":1}' },
    ],
  },
  { text: 'Then.', calls: [{ name: 'server__a', input: '{}' }] },
  { text: 'Done.' },
]

/** The world that outlives an engine: what is stored, and what the servers have done. */
function world(approval: 'auto' | 'always-ask') {
  const gpt = sampleGpt({ tools: { ...sampleGpt().tools, approval } })
  return {
    storage: memoryStorage(gpt),
    tools: sampleTools([sampleTool('a'), sampleTool('b')]),
    models: sampleModel(LINES),
  }
}

/** A person who allows everything, until nothing is asked any more. */
async function live({ storage, tools, models }: ReturnType<typeof world>, goOn: boolean): Promise<void> {
  // A new engine has new locks: those of a dead one are released by the browser.
  const tab = sampleTurns({ storage, tools, models, locks: memoryLocks() })
  await tab.run(CONVERSATION, { goOn })
  for (;;) {
    const open = [...storage.calls.values()].filter(
      ({ status, approval }) => status === 'pending' && approval?.state === 'requested',
    )
    if (open.length === 0) break
    const answers = open.map(
      (call) => ({ toolCallId: call.id, decision: 'allow', scope: 'once', arguments: call.arguments }) as const,
    )
    await tab.answer(CONVERSATION, answers)
    await tab.run(CONVERSATION)
  }
}

for (const approval of ['auto', 'always-ask'] as const) {
  test(`[C.1] an engine that dies at any write, before or after it, runs no call twice (${approval})`, async () => {
    const whole = world(approval)
    let writes = 0
    whole.storage.onWrite = () => void (writes += 1)
    await whole.storage.say('go')
    await live(whole, false)
    expect(whole.tools.executed).toHaveLength(3)

    for (let crashAt = 2; crashAt <= writes; crashAt += 1) {
      const survivor = world(approval)
      let count = 0
      // The engine is dead: from this write on nothing of it reaches the disk.
      survivor.storage.onWrite = () => {
        count += 1
        if (count >= crashAt) throw new Crash()
      }
      await survivor.storage.say('go')
      await live(survivor, false).catch((error: unknown) => expect(error).toBeInstanceOf(Crash))

      // A reload puts it in order, and by itself runs nothing that was sent.
      survivor.storage.onWrite = () => {}
      const sent = survivor.tools.executed.map(({ id }) => id)
      await live(survivor, false)
      await live(survivor, true)
      const ids = survivor.tools.executed.map(({ id }) => id)
      expect(new Set(ids).size, `crash at write ${crashAt} of ${writes}`).toBe(ids.length)
      for (const id of sent) expect(['success', 'unknown']).toContain(survivor.storage.calls.get(id)?.status)
      for (const { status } of survivor.storage.calls.values()) expect(['pending', 'running']).not.toContain(status)
      for (const { status } of survivor.storage.messages.values()) expect(status).not.toBe('streaming')
    }
  })
}
