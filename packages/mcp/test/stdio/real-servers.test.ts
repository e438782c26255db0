import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOf } from '@switchboard/testkit/real-servers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectGone, isRunning, node, open, twoEras } from './scenario.ts'

const everything = () => node(programOf('@modelcontextprotocol/server-everything'), ['stdio'])

async function memory() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'stdio-memory-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }
  return node(programOf('@modelcontextprotocol/server-memory'), [], { env })
}

describe('server-everything as a program', () => {
  it('[N1] is met in its era, listed, called, read and asked for a prompt', async () => {
    const { client } = await open(everything())
    expect(client.getProtocolVersion()).toBe('2025-11-25')
    expect(client.getSessionId()).toBeUndefined()
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo')
    expect((await client.call('echo', { message: 'héllo\n\u2028' })).text).toBe('Echo: héllo\n\u2028')
    expect((await client.listResources()).resources.length).toBeGreaterThan(0)
    const [prompt] = (await client.listPrompts()).prompts
    expect((await client.getPrompt({ name: prompt?.name ?? '' })).messages.length).toBeGreaterThan(0)
  })

  it('[N1] tells of its progress before it answers', async () => {
    const { client } = await open(everything())
    const steps: number[] = []
    await client.callTool({
      name: 'trigger-long-running-operation',
      arguments: { duration: 0.2, steps: 4 },
      options: { onProgress: ({ progress }) => void steps.push(progress) },
    })
    expect(steps).toEqual([1, 2, 3, 4])
  })

  it('[N1] asks its questions, and hears the answers', async () => {
    const { client } = await open(everything(), {
      onElicitationRequest: () => ({ action: 'accept', content: { name: 'Ada' } }),
    })
    const { text } = await client.call('trigger-elicitation-request')
    expect(text).toContain('Ada')
  })

  it('[N1] speaks unasked', async () => {
    const { client } = await open(everything())
    const message = new Promise((resolve) => {
      client.onNotification(({ method, params }) => method === 'notifications/message' && resolve(params))
    })
    await client.call('toggle-simulated-logging')
    expect(await message).toMatchObject({ level: expect.any(String), data: expect.any(String) })
  })

  it('[N7] ends with its client, and nothing of it is left', async () => {
    const { client, transport } = await open(everything())
    const { pid = 0 } = transport
    expect(isRunning(pid)).toBe(true)
    await client.close()
    await expectGone(pid)
    await expect(client.listTools(true)).rejects.toMatchObject({ reason: 'closed' })
  })
})

describe('server-memory as a program', () => {
  it('[N1] keeps what it is told, and many calls at once each get their own answer', async () => {
    const { client } = await open(await memory())
    const names = Array.from({ length: 20 }, (_, index) => `entity-${index}`)
    for (const name of names) {
      await client.call('create_entities', { entities: [{ name, entityType: 'test', observations: ['here'] }] })
    }
    const found = await Promise.all(names.map((name) => client.call('open_nodes', { names: [name] })))
    expect(found.map(({ data }) => (data as { entities: { name: string }[] }).entities[0]?.name)).toEqual(names)
  })
})

const eras = [
  { era: 'sessions', config: { protocolVersionDiscovery: false }, revision: '2025-11-25' },
  { era: 'stateless', config: {}, revision: '2026-07-28' },
]

describe.each(eras)('a program of both eras ($era)', ({ config, revision }) => {
  it('[N2] is met in the era that was asked for', async () => {
    const { client } = await open(twoEras(), config)
    expect(client.getProtocolVersion()).toBe(revision)
    expect((await client.call('echo', { message: 'hi' })).text).toBe('Echo: hi')
  })

  it('[N2] tells of progress', async () => {
    const { client } = await open(twoEras(), config)
    const steps: number[] = []
    const onProgress = ({ progress }: { progress: number }) => void steps.push(progress)
    expect((await client.call('count', {}, { onProgress })).text).toBe('three')
    expect(steps).toEqual([1, 2, 3])
  })

  it('[N3] hears that a call was aborted, and only that one', async () => {
    const { client } = await open(twoEras(), config)
    const stop = new AbortController()
    const other = new AbortController()
    const aborted = client.call('wait', { ticket: 'one' }, { signal: stop.signal })
    const running = client.call('wait', { ticket: 'two' }, { signal: other.signal })
    const heard = client.call('await-cancelled', { ticket: 'one' })
    await client.call('echo', { message: 'both are on their way' })
    stop.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    expect((await heard).text).toBe('one was cancelled')
    let settled = false
    void running.catch(() => {}).finally(() => (settled = true))
    await client.call('echo', { message: 'again' })
    expect(settled).toBe(false)
    other.abort(new Error('over'))
    await expect(running).rejects.toThrow('over')
  })

  it('[N3] is told of a time-out too', async () => {
    const { client } = await open(twoEras(), config)
    const heard = client.call('await-cancelled', { ticket: 'late' })
    await expect(client.call('wait', { ticket: 'late' }, { timeout: 200 })).rejects.toMatchObject({ reason: 'timeout' })
    expect((await heard).text).toBe('late was cancelled')
  })

  it('[N2] tells that its list of tools changed', async () => {
    const { client } = await open(twoEras(), config)
    await client.listTools()
    const changed = new Promise<void>((resolve) => void client.onListChanged('tools', resolve))
    // The stream of the stateless era has to stand before there is something to tell.
    await client.openStream()
    await client.call('add-tool')
    await changed
    expect((await client.listTools(true)).tools.map((tool) => tool.name)).toContain('added-0')
  })
})
