import { createMCPClient, type Inquiry, type MCPClient, type Task } from '@switchboard/mcp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { textOf } from '../interop/surroundings.ts'

type Config = Omit<Parameters<typeof createMCPClient>[0], 'transport'>

export async function connectTo(url: string, config: Config = {}): Promise<MCPClient> {
  const client = await createMCPClient({ ...config, transport: { type: 'http', url } })
  onTestFinished(() => client.close())
  return client
}

/** Everything a task says of itself, in order, without what is said twice. */
export function saidBy(): { onUpdate: (task: Task) => void; said: string[] } {
  const said: string[] = []
  return {
    said,
    onUpdate: ({ status, statusMessage, cancelRequested }) => {
      const line = `${status}${cancelRequested ? ' (stopping)' : ''}: ${statusMessage}`
      if (said.at(-1) !== line) said.push(line)
    },
  }
}

/** The main path of tasks without sessions; it holds in Node and in a page. */
export function describeStatelessTasks(url: () => string): void {
  describe('a task without sessions', () => {
    it('[K1] has an id, tells how it goes, and has a result in the end', async () => {
      const client = await connectTo(url())
      const { said, onUpdate } = saidBy()
      const task = await client.startTask({ name: 'work', arguments: { steps: 3, stepMs: 800 }, onUpdate })
      expect(task).toMatchObject({ name: 'work', status: 'working', ttlMs: 60_000, cancelRequested: false })
      expect(task.id).toMatch(/^[\w-]{36}$/)
      expect(textOf(await task.result())).toBe('Done {}')
      expect(task.status).toBe('completed')
      expect(said[0]).toBe('working: Begun')
      expect(said.slice(1, -1).join()).toMatch(/working: step \d of 3/)
      expect(said.at(-1)).toBe('completed: Done')
    })

    it('[K8] asks its user by the same handler as any call', async () => {
      const asked: [string, Inquiry['task']][] = []
      const client = await connectTo(url(), {
        onElicitationRequest: ({ params }, { task }) => {
          asked.push([params.message, task])
          return { action: 'accept', content: { word: `w${asked.length}` } }
        },
      })
      const task = await client.startTask({ name: 'work', arguments: { steps: 1, ask: 2 } })
      const { structuredContent } = await task.result()
      expect(structuredContent).toEqual({
        answers: {
          q1: { action: 'accept', content: { word: 'w1' } },
          q2: { action: 'accept', content: { word: 'w2' } },
        },
      })
      const who = { id: task.id, name: 'work' }
      expect(asked).toEqual([
        ['Question 1?', { ...who, key: 'q1' }],
        ['Question 2?', { ...who, key: 'q2' }],
      ])
    })

    it('[K8] tells who is asked that only this client left: the task still wants the answer', async () => {
      let asked!: (signal: AbortSignal) => void
      const heard = new Promise<AbortSignal>((resolve) => (asked = resolve))
      const client = await connectTo(url(), {
        onElicitationRequest: (_, { signal }) => {
          asked(signal)
          return new Promise(() => {})
        },
      })
      const task = await client.startTask({ name: 'work', arguments: { steps: 1, ask: 1 } })
      const signal = await heard
      task.detach()
      expect(signal.reason).toMatchObject({ reason: 'closed' })
    })

    it('[K2] a plain call waits for the result of a task that the server makes of it', async () => {
      const client = await connectTo(url())
      const messages: string[] = []
      const result = await client.callTool({
        name: 'work',
        arguments: { steps: 3, stepMs: 800 },
        options: { onProgress: ({ message = '' }) => messages.push(message) },
      })
      expect(textOf(result)).toBe('Done {}')
      expect(messages[0]).toBe('Begun')
      expect(messages.join()).toMatch(/step \d of 3/)
    })

    it('[K10] is cancelled when the server says so, not before', async () => {
      const client = await connectTo(url())
      const { said, onUpdate } = saidBy()
      const task = await client.startTask({ name: 'work', arguments: { steps: 100, stepMs: 2000 }, onUpdate })
      await task.cancel()
      expect(task).toMatchObject({ cancelRequested: true, status: 'working' })
      await expect(task.result()).rejects.toMatchObject({ name: 'MCPError', reason: 'cancelled' })
      expect(task.status).toBe('cancelled')
      expect(said.at(-1)).toBe('cancelled (stopping): Stopped as asked')
    })

    it('[K11] goes on in another client by what was saved', async () => {
      const first = await connectTo(url())
      const task = await first.startTask({ name: 'work', arguments: { steps: 5, stepMs: 500 } })
      const saved = JSON.stringify(task.save())
      await first.close()
      await expect(task.result()).rejects.toMatchObject({ reason: 'closed', task: { taskId: task.id } })
      const second = await connectTo(url())
      const again = await second.resumeTask(JSON.parse(saved))
      expect(again).toMatchObject({ id: task.id, name: 'work', status: 'working' })
      expect(textOf(await again.result())).toBe('Done {}')
    })

    it('[K3] a tool that answers at once gives a handle that is over', async () => {
      const client = await connectTo(url())
      const task = await client.startTask({ name: 'quick' })
      expect(task).toMatchObject({ id: undefined, status: 'completed' })
      expect(task.save()).toBeUndefined()
      expect(textOf(await task.result())).toBe('at once')
    })
  })
}

/** The main path with server-everything, whose tasks are those of the session era. */
export function describeSessionTasks(url: () => string): void {
  const research = (more: object = {}) => ({ name: 'simulate-research-query', arguments: { topic: 'python', ...more } })

  describe('a task with sessions', () => {
    it('[K1] has an id, tells how it goes, and has a result in the end', async () => {
      const client = await connectTo(url())
      const { said, onUpdate } = saidBy()
      const task = await client.startTask({ ...research(), onUpdate })
      expect(task).toMatchObject({ name: 'simulate-research-query', status: 'working', ttlMs: 300_000 })
      expect(textOf(await task.result())).toContain('python')
      expect(said.length).toBeGreaterThan(2)
      expect(said.at(-1)).toMatch(/^completed/)
    })

    it('[K9] asks its user in the middle, by the same handler as any call, and a plain call waits for it all', async () => {
      const asked: unknown[] = []
      const messages: (string | undefined)[] = []
      const client = await connectTo(url(), {
        onElicitationRequest: ({ params }, { task }) => {
          asked.push([params.message, task?.name])
          return { action: 'accept', content: { interpretation: 'snake' } }
        },
      })
      const result = await client.callTool({
        ...research({ ambiguous: true }),
        options: { onProgress: ({ message }) => messages.push(message) },
      })
      expect(asked).toEqual([[expect.stringContaining('python'), 'simulate-research-query']])
      expect(textOf(result)).toContain('snake')
      expect(messages.join('\n')).toContain('Requesting clarification')
    })

    it('[K10] is cancelled at once where the answer says so', async () => {
      const client = await connectTo(url())
      const task = await client.startTask(research())
      await task.cancel()
      expect(task).toMatchObject({ status: 'cancelled', cancelRequested: true })
      await expect(task.result()).rejects.toMatchObject({ reason: 'cancelled' })
      await expect(task.cancel()).resolves.toBeUndefined()
    })
  })
}
