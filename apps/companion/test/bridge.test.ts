import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programOf } from '@switchboard/testkit/real-servers'
import { describe, expect, it } from 'vitest'
import { connect, eras, everything, folder, node, program, servers, start } from './scenario.ts'

const twoEras = () => node(program('../../../packages/mcp/test/stdio/two-eras-server.mjs'))

describe.each(eras)('a local server, to a client of the $era era', ({ config, revision }) => {
  it('server-everything is met, listed, called, read and asked for a prompt', async () => {
    const client = await connect(await start({ everything: everything() }), 'everything', config)
    expect(client.getProtocolVersion()).toBe(revision)
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('echo')
    expect((await client.call('echo', { message: 'héllo\n\u2028' })).text).toBe('Echo: héllo\n\u2028')
    expect((await client.listResources()).resources.length).toBeGreaterThan(0)
    const [prompt] = (await client.listPrompts()).prompts
    expect((await client.getPrompt({ name: prompt?.name ?? '' })).messages.length).toBeGreaterThan(0)
    const [resource] = (await client.listResources()).resources
    expect((await client.readResource({ uri: resource?.uri ?? '' })).contents.length).toBe(1)
  })

  it('tells of its progress before it answers', async () => {
    const client = await connect(await start({ everything: everything() }), 'everything', config)
    const steps: number[] = []
    await client.callTool({
      name: 'trigger-long-running-operation',
      arguments: { duration: 0.2, steps: 4 },
      options: { onProgress: ({ progress }) => void steps.push(progress) },
    })
    expect(steps).toEqual([1, 2, 3, 4])
  })

  it('asks its questions, and hears the answers', async () => {
    const client = await connect(await start({ everything: everything() }), 'everything', {
      ...config,
      onElicitationRequest: () => ({ action: 'accept', content: { name: 'Ada' } }),
    })
    expect((await client.call('trigger-elicitation-request')).text).toContain('Ada')
  })

  it('server-memory keeps what it is told, and many calls at once each get their own answer', async () => {
    const env = { MEMORY_FILE_PATH: join(await folder(), 'memory.jsonl') }
    const memory = { ...node(programOf('@modelcontextprotocol/server-memory')), env }
    const client = await connect(await start({ memory }), 'memory', config)
    const names = Array.from({ length: 10 }, (_, index) => `entity-${index}`)
    for (const name of names)
      await client.call('create_entities', { entities: [{ name, entityType: 'test', observations: ['here'] }] })
    const found = await Promise.all(names.map((name) => client.call('open_nodes', { names: [name] })))
    expect(found.map(({ data }) => (data as { entities: { name: string }[] }).entities[0]?.name)).toEqual(names)
  })

  it('server-filesystem reads and writes in its folder, and nowhere else', async () => {
    const root = join(await folder(), 'files')
    await mkdir(root)
    await writeFile(join(root, 'hello.txt'), 'hello\n')
    const client = await connect(
      await start({ files: node(programOf('@modelcontextprotocol/server-filesystem'), root) }),
      'files',
      config,
    )
    expect((await client.call('read_text_file', { path: join(root, 'hello.txt') })).text).toContain('hello')
    expect((await client.call('read_text_file', { path: '/etc/passwd' })).isError).toBe(true)
  })

  it('sixty calls at once all get their own answer, from one program', async () => {
    const companion = await start({ everything: everything() })
    const client = await connect(companion, 'everything', config)
    const numbers = Array.from({ length: 60 }, (_, index) => String(index))
    const answers = await Promise.all(numbers.map((message) => client.call('echo', { message })))
    expect(answers.map(({ text }) => text)).toEqual(numbers.map((message) => `Echo: ${message}`))
    expect(await servers(companion)).toMatchObject([{ state: 'running', restarts: 0 }])
  })

  it('one that knows both eras hears of a cancelled call, and tells that its tools changed', async () => {
    const client = await connect(await start({ two: twoEras() }), 'two', config)
    expect(client.getProtocolVersion()).toBe(revision)
    const stop = new AbortController()
    const aborted = client.call('wait', { ticket: 'one' }, { signal: stop.signal })
    const heard = client.call('await-cancelled', { ticket: 'one' })
    await client.call('echo', { message: 'both are on their way' })
    stop.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    expect((await heard).text).toBe('one was cancelled')

    await client.listTools()
    const changed = new Promise<void>((resolve) => void client.onListChanged('tools', resolve))
    await client.openStream()
    await client.call('add-tool')
    await changed
    expect((await client.listTools(true)).tools.map((tool) => tool.name)).toContain('added-0')
  })
})
