import type { BrowserContext, CDPSession, Page } from '@playwright/test'

interface Script {
  url: string
  functions: unknown
}
interface Answer {
  id?: number
  result?: { result?: Script[] }
}

/** Whether a part ran, not how often: code that is counted is not optimised. */
const RAN = { callCount: false, detailed: true }

/**
 * Notes what runs in a page and in its workers. Playwright hands out no session of a worker, so they are spoken to through the one
 * of their page, in the older way of the protocol that wraps each message.
 */
export async function noteWhatRuns(
  context: BrowserContext,
  page: Page,
): Promise<{ takeCoverage: () => Promise<Script[]> }> {
  const session: CDPSession = await context.newCDPSession(page)
  const alive = new Set<string>()
  const waiting = new Map<number, { worker: string; answer: (answer: Answer) => void }>()
  let lastId = 0

  const ask = (worker: string, method: string, params: object = {}): Promise<Answer> =>
    new Promise((answer) => {
      const id = ++lastId
      waiting.set(id, { worker, answer })
      const message = JSON.stringify({ id, method, params })
      session.send('Target.sendMessageToTarget', { sessionId: worker, message }).catch(() => answer({}))
    })
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = JSON.parse(message) as Answer
    if (answer.id === undefined) return
    waiting.get(answer.id)?.answer(answer)
    waiting.delete(answer.id)
  })
  session.on('Target.attachedToTarget', ({ sessionId }) => {
    alive.add(sessionId)
    void ask(sessionId, 'Profiler.enable')
    void ask(sessionId, 'Profiler.startPreciseCoverage', RAN)
  })
  session.on('Target.detachedFromTarget', ({ sessionId }) => {
    alive.delete(sessionId)
    for (const { worker, answer } of waiting.values()) if (worker === sessionId) answer({})
  })
  await session.send('Profiler.enable')
  await session.send('Profiler.startPreciseCoverage', RAN)
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  return {
    async takeCoverage() {
      const taken = await Promise.all([...alive].map((worker) => ask(worker, 'Profiler.takePreciseCoverage')))
      const ofPage: { result: Script[] } = await session.send('Profiler.takePreciseCoverage')
      return [...ofPage.result, ...taken.flatMap(({ result }) => result?.result ?? [])]
    },
  }
}
