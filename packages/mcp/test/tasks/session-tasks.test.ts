import { inspect } from 'node:util'
import { createMCPClient, type MCPClient, type MCPError, type SavedTask } from '@switchboard/mcp'
import { type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { statusOfSession, textOf } from '../interop/surroundings.ts'
import { connectTo } from './task-promises.ts'

let real: RealServers
beforeAll(async () => {
  real = await startRealServers(['everything'])
})
afterAll(async () => {
  await real?.stop()
})

const url = (): string => real.addresses.everything
const research = (more: object = {}) => ({ name: 'simulate-research-query', arguments: { topic: 'python', ...more } })

/** Ends a session past our library, as a server that restarts does. */
async function endSession(sessionId: string): Promise<void> {
  await fetch(url(), {
    method: 'DELETE',
    headers: { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' },
  })
}

/** Ends a stream behind its first event. */
function firstEventOnly(): TransformStream<Uint8Array, Uint8Array> {
  let text = ''
  return new TransformStream({
    transform(chunk, controller) {
      text += new TextDecoder().decode(chunk)
      const end = text.indexOf('\n\n')
      if (end < 0) return
      controller.enqueue(new TextEncoder().encode(text.slice(0, end + 2)))
      controller.terminate()
    },
  })
}

describe('tasks of server-everything', () => {
  it('[K4] a tool that cannot be a task runs in the usual way', async () => {
    const client = await connectTo(url())
    const task = await client.startTask({ name: 'echo', arguments: { message: 'hi' } })
    // Printed, it tells nobody how to get into the session.
    expect(inspect(task, { depth: 10 })).not.toContain(client.getSessionId())
    expect(JSON.stringify(task)).not.toContain(client.getSessionId())
    expect(task).toMatchObject({ id: undefined, status: 'completed' })
    expect(textOf(await task.result())).toBe('Echo: hi')
  })

  it('[K6] a task is lost with its session, and says so', async () => {
    const client = await connectTo(url())
    const task = await client.startTask(research())
    await endSession(client.getSessionId()!)
    const error = await task.result().catch((thrown: unknown) => thrown as MCPError)
    expect(error).toMatchObject({ reason: 'expired', message: expect.stringContaining('lost with its session') })
    expect(task.status).toBe('expired')
    // The client itself goes on.
    expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'here' } }))).toBe('Echo: here')
  })

  it('[K10] a question is taken back when its task is cancelled', async () => {
    let taken: AbortSignal | undefined
    const client = await connectTo(url(), {
      onElicitationRequest: (_request, { signal }) => {
        taken = signal
        return new Promise(() => {})
      },
    })
    const task = await client.startTask(research({ ambiguous: true }))
    await expect.poll(() => taken).toBeDefined()
    expect(task.status).toBe('input_required')
    await task.cancel()
    expect(taken?.aborted).toBe(true)
    expect(task.status).toBe('cancelled')
    await expect(task.result()).rejects.toMatchObject({ reason: 'cancelled' })
  })

  it('[K9] a question whose stream broke before it arrived is picked up', async () => {
    let broken = 0
    const breaking: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(init?.body).includes('"tasks/result"') || broken++ > 0) return response
      return new Response(response.body!.pipeThrough(firstEventOnly()), response)
    }
    const asked: string[] = []
    const client = await createMCPClient({
      transport: { type: 'http', url: url(), fetch: breaking, backoff: { baseMs: 1, capMs: 10 } },
      onElicitationRequest: ({ params }) => {
        asked.push(params.message)
        return { action: 'accept', content: { interpretation: 'snake' } }
      },
    })
    onTestFinished(() => client.close())
    expect(textOf(await client.callTool(research({ ambiguous: true })))).toContain('snake')
    expect(broken).toBeGreaterThan(0)
    expect(asked).toHaveLength(1)
  })

  it('[K12] closing the client leaves the session to the tasks in it; with no task it is given back', async () => {
    const client = await createMCPClient({ transport: { type: 'http', url: url() } })
    const task = await client.startTask(research())
    const sessionId = client.getSessionId()!
    await client.close()
    const error = await task.result().catch((thrown: unknown) => thrown as MCPError)
    const saved = (error as MCPError).task!
    expect(await statusOfSession(url(), sessionId)).toBe(200)
    const again = await createMCPClient({ transport: { type: 'http', url: url() }, session: saved.session })
    expect(textOf(await (await again.resumeTask(saved)).result())).toContain('python')
    await again.close()
    expect(await statusOfSession(url(), sessionId)).not.toBe(200)
  })

  it.each<[string, (client: MCPClient) => Promise<SavedTask>]>([
    [
      'detached',
      async (client) => {
        const task = await client.startTask(research())
        task.detach()
        return task.save()!
      },
    ],
    [
      'not over in time',
      async (client) => {
        const call = client.callTool({ ...research(), options: { maxTotalTimeout: 2000 } })
        return ((await call.catch((thrown: unknown) => thrown)) as MCPError).task!
      },
    ],
  ])('[K12] a task that was %s has its session after the client is closed, until it is over', async (_what, leave) => {
    const client = await createMCPClient({ transport: { type: 'http', url: url() } })
    const saved = await leave(client)
    const sessionId = client.getSessionId()!
    await client.close()
    expect(await statusOfSession(url(), sessionId)).toBe(200)
    const again = await createMCPClient({ transport: { type: 'http', url: url() }, session: saved.session })
    expect(textOf(await (await again.resumeTask(saved)).result())).toContain('python')
    await again.close()
    expect(await statusOfSession(url(), sessionId)).not.toBe(200)
  })

  it('[K12] an app that wants its session given back has it so, whatever runs in it', async () => {
    const transport = { type: 'http', url: url(), terminateSessionOnClose: true } as const
    const client = await createMCPClient({ transport })
    await client.startTask(research())
    const sessionId = client.getSessionId()!
    await client.close()
    expect(await statusOfSession(url(), sessionId)).not.toBe(200)
  })

  it('[K1] several tasks run side by side', async () => {
    const client = await connectTo(url())
    const topics = ['kites', 'rivers', 'bridges', 'clocks']
    const results = await Promise.all(topics.map((topic) => client.callTool(research({ topic }))))
    results.forEach((result, index) => expect(textOf(result)).toContain(topics[index]))
  })

  it('[K7] changes are told on the stream of the server where it is open', async () => {
    const client = await connectTo(url())
    await client.openStream()
    const told: unknown[] = []
    client.onNotification(({ method, params }) => {
      if (method === 'notifications/tasks/status') told.push(params?.['statusMessage'])
    })
    const heard: unknown[] = []
    const task = await client.startTask({ ...research(), onUpdate: ({ statusMessage }) => heard.push(statusMessage) })
    await task.result()
    expect(heard).toEqual(expect.arrayContaining(told.slice(1)))
    expect(told.length).toBeGreaterThan(2)
  })
})
