import { fileURLToPath } from 'node:url'
import { Worker as Thread } from 'node:worker_threads'
import { build } from 'esbuild'

const SCHEMA_WORKER = new URL('../schema-worker.ts', import.meta.url)

// What a browser gives a worker, on a thread of Node.
const SHIM = `
import { parentPort } from 'node:worker_threads'
globalThis.self = globalThis
self.postMessage = (value) => parentPort.postMessage(value)
parentPort.on('message', (data) => self.onmessage({ data }))
`

const bundled = new Map<string, Promise<string>>()

async function bundle(script: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(script)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    banner: { js: SHIM },
    external: ['node:*'],
  })
  return outputFiles[0]!.text
}

/** Starts a real worker script on a thread, and counts the running threads. */
export async function nodeWorkers(script: URL) {
  const code = bundled.get(script.href) ?? bundle(script)
  bundled.set(script.href, code)
  const url = new URL(`data:text/javascript,${encodeURIComponent(await code)}`)
  const alive = new Set<Thread>()
  let started = 0
  const start = (): Worker => {
    const thread = new Thread(url)
    started += 1
    alive.add(thread)
    thread.unref()
    thread.on('exit', () => alive.delete(thread))
    const worker = {
      onmessage: undefined as ((event: { data: unknown }) => void) | undefined,
      onerror: undefined as ((event: { message: string }) => void) | undefined,
      postMessage: (value: unknown) => thread.postMessage(value),
      terminate: () => void thread.terminate(),
    }
    thread.on('message', (data: unknown) => worker.onmessage?.({ data }))
    thread.on('error', ({ message }) => worker.onerror?.({ message }))
    return worker as unknown as Worker
  }
  return {
    start,
    get started() {
      return started
    },
    alive,
    async gone(): Promise<void> {
      await Promise.all([...alive].map((thread) => new Promise((resolve) => thread.once('exit', resolve))))
    },
  }
}

export const nodeSchemaWorkers = () => nodeWorkers(SCHEMA_WORKER)
