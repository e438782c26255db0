import { expect, it, onTestFinished } from 'vitest'
import { takeStreamSlot } from '../../src/transport/stream-slots.ts'

const idle = new AbortController().signal
const noWait = (): void => expect.unreachable('has to wait')

/** Takes places in a worker with a module of its own, as another tab has it, and tells how it goes. */
async function startWorker(origin: string): Promise<{
  worker: Worker
  say: (word: 'take' | 'abort' | 'release') => void
  hear: (word: 'waits' | 'has' | 'left') => Promise<void>
}> {
  const slots = new URL('../../src/transport/stream-slots.ts', import.meta.url).href
  const source = `
    import { takeStreamSlot } from ${JSON.stringify(slots)}
    const releases = []
    let abort
    const deeds = {
      take() {
        abort = new AbortController()
        takeStreamSlot(${JSON.stringify(origin)}, abort.signal, () => postMessage('waits')).then(
          (release) => {
            releases.push(release)
            postMessage('has')
          },
          () => postMessage('left'),
        )
      },
      abort: () => abort.abort(),
      release: () => releases.shift()(),
    }
    onmessage = ({ data }) => deeds[data]()
    postMessage('ready')`
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(address, { type: 'module' })
  onTestFinished(() => {
    worker.terminate()
    URL.revokeObjectURL(address)
  })
  const words: unknown[] = []
  let wake = (): void => {}
  worker.onmessage = ({ data }) => {
    words.push(data)
    wake()
  }
  const hear = async (word: string): Promise<void> => {
    while (words.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    expect(words.shift()).toBe(word)
  }
  await hear('ready')
  return { worker, say: (word) => worker.postMessage(word), hear }
}

/** What the browser knows of the places of an origin. */
async function locksOf(origin: string): Promise<{ held: number; pending: number }> {
  const { held = [], pending = [] } = await navigator.locks.query()
  const count = (locks: LockInfo[]): number => locks.filter(({ name }) => name?.includes(`:${origin}:`)).length
  return { held: count(held), pending: count(pending) }
}

it('[B12] a page and a worker have three streams together: what ends in one goes to who waits in the other', async () => {
  const origin = 'http://shared.test'
  const { say, hear } = await startWorker(origin)
  const release = await takeStreamSlot(origin, idle, noWait)
  const releaseOther = await takeStreamSlot(origin, idle, noWait)
  say('take')
  await hear('has')
  say('take')
  await hear('waits')
  release()
  await hear('has')
  let waited = false
  const releaseLast = await takeStreamSlot(origin, idle, () => {
    waited = true
    say('release')
  })
  expect(waited).toBe(true)
  say('release')
  releaseOther()
  releaseLast()
  await expect.poll(() => locksOf(origin)).toEqual({ held: 0, pending: 0 })
})

it('[B12] who gives up waiting leaves nothing behind, and the next in the queue gets the place', async () => {
  const origin = 'http://given-up.test'
  const { say, hear } = await startWorker(origin)
  const releases = []
  for (let n = 0; n < 3; n++) releases.push(await takeStreamSlot(origin, idle, noWait))
  say('take')
  await hear('waits')
  let told = (): void => {}
  const waits = new Promise<void>((resolve) => (told = resolve))
  const slot = takeStreamSlot(origin, idle, told)
  await waits
  say('abort')
  await hear('left')
  await expect.poll(() => locksOf(origin)).toEqual({ held: 3, pending: 3 })
  releases.pop()!()
  releases.push(await slot)
  await expect.poll(() => locksOf(origin)).toEqual({ held: 3, pending: 0 })
  for (const release of releases) release()
  await expect.poll(() => locksOf(origin)).toEqual({ held: 0, pending: 0 })
})

it('[B12] who dies gives back its places', async () => {
  const origin = 'http://dead.test'
  const { worker, say, hear } = await startWorker(origin)
  for (let n = 0; n < 3; n++) {
    say('take')
    await hear('has')
  }
  let waited = false
  const release = await takeStreamSlot(origin, idle, () => {
    waited = true
    worker.terminate()
  })
  expect(waited).toBe(true)
  release()
  await expect.poll(() => locksOf(origin)).toEqual({ held: 0, pending: 0 })
})
