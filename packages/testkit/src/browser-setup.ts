import type { TestProject } from 'vitest/node'
import { startBodyServer } from './body-server.ts'
import { type RealServerAddresses, startRealServers } from './real-servers.ts'
import { startSseStreamServer } from './sse-stream-server.ts'
import { startTaskServer } from './task-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    realServers: RealServerAddresses
    bodyServerUrl: string
    sseStreamUrl: string
    taskServerUrl: string
    sseStreamCount: number
  }
}

/** Servers that pages talk to. They run here, in Node; the tests get their addresses with inject(). */
export default async function setUpBrowserServers({ provide }: TestProject): Promise<() => Promise<void>> {
  const realServers = await startRealServers()
  provide('realServers', realServers.addresses)
  const tasks = await startTaskServer()
  provide('taskServerUrl', tasks.url)
  const bodies = await startBodyServer()
  provide('bodyServerUrl', bodies.url)
  const sseStreams = await startSseStreamServer()
  provide('sseStreamUrl', sseStreams.url)
  provide('sseStreamCount', Number(process.env.SWITCHBOARD_FUZZ ?? 500))
  return async () => {
    await sseStreams.close()
    await bodies.close()
    await tasks.close()
    await realServers.stop()
  }
}
