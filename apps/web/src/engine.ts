import { Failed, failureOf } from '#domain/failure.ts'
import { createEngine, type Engine } from '#wiring/create-engine.ts'
import type { FromEngine, ToEngine } from '#wiring/engine-protocol.ts'
import { createEngineState } from '#wiring/engine-state.ts'
import { startOpenApiWorker, startSchemaWorker } from '#wiring/start-workers.ts'
import { whatWasNotSaved } from '#wiring/what-was-not-saved.ts'

const tell = (message: FromEngine) => postMessage(message)
const state = createEngineState((next) => tell({ type: 'state', state: next }))
let engine: Promise<Engine> | undefined

addEventListener('message', ({ data }: MessageEvent<ToEngine>) => {
  switch (data.type) {
    case 'start':
      engine ??= createEngine({
        origin: data.origin,
        companionCode: data.companionCode,
        state,
        startSchemaWorker,
        startOpenApiWorker,
        wish: data,
        tellChanges: (changes) => tell({ type: 'changes', changes }),
      })
      engine.catch((error: unknown) => state.set({ phase: 'failed', failure: failureOf(error) }))
      break
    case 'ping':
      tell({ type: 'pong' })
      break
    case 'network':
      dispatchEvent(new Event(data.isOnline ? 'online' : 'offline'))
      break
    case 'command':
      void obey(data)
  }
})

async function obey({ id, name, input }: Extract<ToEngine, { type: 'command' }>): Promise<void> {
  try {
    const commands = await engine
    // The page is not believed either: only what is a command is called.
    if (!commands || !Object.hasOwn(commands, name))
      throw new Failed('internal', `There is no command ${String(name)}.`)
    const command = commands[name] as (given: unknown) => Promise<unknown>
    tell({ type: 'answer', id, value: await command(input) })
  } catch (error) {
    const failure = failureOf(error)
    const what = failure.code === 'storage-full' ? whatWasNotSaved(name) : undefined
    // Whichever screen gave the command: that nothing can be stored concerns them all. What was sent counts for more than that it
    // lies in the composer again.
    const isTold = name === 'saveDraft' && state.current().storage.state === 'failing'
    if (what && !isTold) state.set({ storage: { state: 'failing', failure, what } })
    tell({ type: 'refusal', id, failure })
  }
}
