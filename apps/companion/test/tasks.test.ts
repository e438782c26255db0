import { describe, expect, it } from 'vitest'
import { connect, eras, everything, servers, start } from './scenario.ts'

const research = (topic: string, ambiguous = false) => ({
  name: 'simulate-research-query',
  arguments: { topic, ambiguous },
})

describe.each(eras)('a tool that runs only as a task, to a client of the $era era', ({ config }) => {
  it('is one: it tells how it goes, and has a result in the end', async () => {
    const client = await connect(await start({ everything: everything() }), 'everything', config)
    const said = new Set<string>()
    const task = await client.startTask({
      ...research('bees'),
      onUpdate: ({ statusMessage = '' }) => said.add(statusMessage),
    })
    expect(task).toMatchObject({ status: 'working', ttlMs: 300_000 })
    expect(task.id).toBeDefined()
    const { content } = await task.result()
    expect(JSON.stringify(content)).toContain('Research Report: bees')
    expect(task.status).toBe('completed')
    // Four stages of a second each, looked at once a second: where the machine stands still, a look misses some of them.
    expect([...said].filter((words) => words.endsWith('...')).length).toBeGreaterThan(0)
  })

  it('asks in the middle of its work, and hears the answer', async () => {
    const asked: string[] = []
    const client = await connect(await start({ everything: everything() }), 'everything', {
      ...config,
      onElicitationRequest: ({ params }) => {
        asked.push(String(params['message']))
        return { action: 'accept', content: { interpretation: 'technical' } }
      },
    })
    const { content } = await client.callTool(research('python', true))
    expect(asked).toHaveLength(1)
    expect(JSON.stringify(content)).toContain('the task resumed processing and completed')
  })

  it('is cancelled at the program', async () => {
    const companion = await start({ everything: everything() })
    const client = await connect(companion, 'everything', config)
    const task = await client.startTask(research('ants'))
    await task.cancel()
    await expect(task.result()).rejects.toMatchObject({ reason: 'cancelled' })
    expect(await servers(companion)).toMatchObject([{ state: 'running' }])
  })
})

describe('a tool that runs only as a task', () => {
  it('answers a client that knows no tasks as any other tool', async () => {
    const client = await connect(await start({ everything: everything() }), 'everything', { tasks: false })
    expect(client.getProtocolVersion()).toBe('2026-07-28')
    const { text } = await client.call('simulate-research-query', { topic: 'moss' })
    expect(text).toContain('Research Report: moss')
  })
})
