import { describe, expect, it } from 'vitest'
import { connect, firstEvent, type Surroundings, statusOfSession, textOf } from './surroundings.ts'

/** The server answers whatever the era with the same words, so one list of promises holds in both. */
function describeEra(
  surroundings: Surroundings,
  id: string,
  version: string,
  config: { protocolVersionDiscovery: boolean },
) {
  const url = () => surroundings.servers().twoEras
  const open = (more: Parameters<typeof connect>[2] = {}) => connect(surroundings, url(), { ...config, ...more })
  const json = (result: { content?: unknown }): unknown => JSON.parse(textOf(result))
  const stateless = version === '2026-07-28'

  it(`[${id}1] the era is the one expected, with the server's name and instructions`, async () => {
    const client = await open()
    expect(client.getProtocolVersion()).toBe(version)
    expect(client.serverInfo).toMatchObject({ name: 'two-eras', version: '1.0.0' })
    expect(client.instructions).toBe('Ask for anything, in either era.')
    await expect(client.ping()).resolves.toBeUndefined()
    expect(client.capabilities).toMatchObject({
      tools: {},
      resources: { subscribe: true },
      prompts: {},
      completions: {},
    })
  })

  it(`[${id}2] lists are whole: every page of the resources, the templates, the prompts`, async () => {
    const client = await open()
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['echo', 'add', 'route']),
    )
    const { resources, nextCursor } = await client.listResources()
    expect(resources.map((resource) => resource.name)).toEqual(['first', 'second', 'third'])
    expect(nextCursor).toBeUndefined()
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'note://pages/{name}' },
    ])
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'trip', arguments: [{ name: 'city' }] }])
  })

  it(`[${id}3] one page is given when a cursor asks for it`, async () => {
    const client = await open()
    const { resources } = await client.listResources({ params: { cursor: '2' } })
    expect(resources.map((resource) => resource.name)).toEqual(['third'])
  })

  it(`[${id}4] a tool answers with text, with structured content, with an image, with a failure`, async () => {
    const client = await open()
    expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'ünï' } }))).toBe('Echo: ünï')
    expect(await client.call('add', { a: 2, b: 3 })).toMatchObject({ data: { sum: 5 }, isError: false })
    expect((await client.callTool({ name: 'picture', arguments: {} })).content).toMatchObject([
      { type: 'image', mimeType: 'image/png' },
    ])
    expect(await client.call('fail', {})).toMatchObject({ isError: true, text: 'This never works' })
  })

  it(`[${id}5] a tool that does not exist is told apart from one that failed`, async () => {
    const client = await open()
    const error = await client.callTool({ name: 'no-such-tool', arguments: {} }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'MCPError', code: -32602 })
    expect((error as { isToolNotFound(): boolean }).isToolNotFound()).toBe(true)
  })

  it(`[${id}6] resources are read, also by template, and prompts are filled in`, async () => {
    const client = await open()
    expect((await client.readResource({ uri: 'note://pages/second' })).contents).toMatchObject([
      { text: 'the second note' },
    ])
    await client.callTool({ name: 'write-note', arguments: { name: `${id}-page`, text: 'by template' } })
    expect((await client.readResource({ uri: `note://pages/${id}-page` })).contents).toMatchObject([
      { text: 'by template' },
    ])
    expect((await client.getPrompt({ name: 'trip', arguments: { city: 'Porto' } })).messages).toMatchObject([
      { role: 'user', content: { text: 'Plan a trip to Porto.' } },
    ])
  })

  it(`[${id}7] arguments of prompts and templates are completed`, async () => {
    const client = await open()
    const cities = await client.complete({
      ref: { type: 'ref/prompt', name: 'trip' },
      argument: { name: 'city', value: 'Pa' },
    })
    expect(cities.completion.values).toEqual(['Paris', 'Parma'])
    const names = await client.complete({
      ref: { type: 'ref/resource', uri: 'note://pages/{name}' },
      argument: { name: 'name', value: 'sec' },
    })
    expect(names.completion.values).toEqual(['second'])
  })

  it(`[${id}8] progress arrives in order, with its total and message`, async () => {
    const client = await open()
    const steps: unknown[] = []
    const result = await client.callTool({
      name: 'count',
      arguments: { to: 3 },
      options: { onProgress: (progress) => steps.push(progress) },
    })
    expect(textOf(result)).toBe('Counted to 3')
    expect(steps).toMatchObject([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })))
  })

  it(`[${id}9] log messages arrive when a level was asked for`, async () => {
    const client = await open()
    const message = firstEvent<unknown>()
    client.onNotification(({ method, params }) => {
      if (method === 'notifications/message') message.listener(params)
    })
    await client.openStream()
    await client.setLogLevel('debug')
    await client.callTool({ name: 'talk', arguments: { about: 'weather' } })
    expect(await message.seen).toMatchObject({ level: 'info', logger: 'two-eras', data: { about: 'weather' } })
  })

  it(`[${id}10] a parameter that belongs into a header is in it, also when it is not ASCII`, async () => {
    const client = await open()
    await client.listTools()
    expect(json(await client.callTool({ name: 'route', arguments: { region: 'eu-west' } }))).toEqual({
      region: 'eu-west',
      header: stateless ? 'eu-west' : null,
    })
    expect(json(await client.callTool({ name: 'route', arguments: { region: 'København' } }))).toEqual({
      region: 'København',
      header: stateless ? '=?base64?S8O4YmVuaGF2bg==?=' : null,
    })
  })

  it(`[${id}11] a header parameter is right even when the tools were never listed`, async () => {
    const client = await open()
    expect(json(await client.callTool({ name: 'route', arguments: { region: 'us' } }))).toMatchObject({ region: 'us' })
  })

  it(`[${id}12] a form is asked for, and what it leaves open gets the schema's defaults`, async () => {
    const asked = firstEvent<string>()
    const client = await open({
      onElicitationRequest: ({ params }) => {
        asked.listener(params.message)
        return { action: 'accept', content: { guests: 4 } }
      },
    })
    expect(json(await client.callTool({ name: 'book-table', arguments: {} }))).toEqual({
      action: 'accept',
      content: { name: 'Ada', guests: 4, outside: true, time: '20:00' },
    })
    expect(await asked.seen).toBe('Which table?')
  })

  it(`[${id}13] a page to open is asked for with its whole address`, async () => {
    const asked = firstEvent<unknown>()
    const client = await open({
      onElicitationRequest: ({ params }) => {
        asked.listener(params)
        return { action: 'accept' }
      },
    })
    expect(json(await client.callTool({ name: 'pay', arguments: {} }))).toMatchObject({ action: 'accept' })
    expect(await asked.seen).toMatchObject({ mode: 'url', url: 'https://pay.example/order/7', message: 'Please pay' })
  })

  it(`[${id}14] a tool may ask twice, and gets back the state it gave in between`, async () => {
    const words = ['one', 'two']
    const client = await open({
      onElicitationRequest: () => ({ action: 'accept', content: { word: words.shift() ?? 'none' } }),
    })
    expect(json(await client.callTool({ name: 'survey', arguments: {} }))).toEqual({
      state: JSON.stringify({ action: 'accept', content: { word: 'one' } }),
      two: { action: 'accept', content: { word: 'two' } },
    })
  })

  it(`[${id}15] the model of the client answers a sampling request`, async () => {
    const client = await open({
      onSamplingRequest: () => ({
        role: 'assistant',
        model: 'test-model',
        content: { type: 'text', text: 'All well.' },
      }),
    })
    expect(json(await client.callTool({ name: 'summarise', arguments: {} }))).toMatchObject({
      role: 'assistant',
      model: 'test-model',
      content: { type: 'text', text: 'All well.' },
    })
  })

  it(`[${id}16] the server is told the roots when it asks`, async () => {
    const client = await open({ roots: [{ uri: 'file:///home', name: 'Home' }] })
    expect(json(await client.callTool({ name: 'where', arguments: {} }))).toMatchObject({
      roots: [{ uri: 'file:///home', name: 'Home' }],
    })
  })

  it(`[${id}17] a subscription tells of its own resource, and after close of none`, async () => {
    const client = await open()
    const uri = `note://pages/${id}-mine`
    const write = (name: string) => client.callTool({ name: 'write-note', arguments: { name, text: 'x' } })
    const heard: string[] = []
    const updated = firstEvent<void>()
    const subscription = await client.subscribe(uri, () => {
      heard.push(uri)
      updated.listener()
    })
    await write(`${id}-other`)
    await write(`${id}-mine`)
    await updated.seen
    await subscription.close()
    // What comes after the next subscription has been told would also have been heard on the closed one.
    const fence = firstEvent<void>()
    await client.subscribe(`note://pages/${id}-fence`, () => fence.listener())
    await write(`${id}-mine`)
    await write(`${id}-fence`)
    await fence.seen
    expect(heard).toEqual([uri])
  })

  it(`[${id}18] a change of the tool list is told, and the next list has it`, async () => {
    const client = await open({ cache: true })
    const name = `later-${id}-${Math.random().toString(36).slice(2)}`
    const changed = firstEvent<void>()
    client.onListChanged('tools', () => changed.listener())
    await client.openStream()
    expect((await client.listTools()).tools.map((tool) => tool.name)).not.toContain(name)
    await client.callTool({ name: 'add-tool', arguments: { name } })
    await changed.seen
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain(name)
  })

  it(`[${id}19] an aborted call ends with the caller's reason, and the server stops its work`, async () => {
    const client = await open()
    const ticket = `${id}-${Math.random().toString(36).slice(2)}`
    const abort = new AbortController()
    const reason = new Error('the user pressed stop')
    const call = client.callTool({
      name: 'wait',
      arguments: { ticket },
      options: { signal: abort.signal, onProgress: () => abort.abort(reason) },
    })
    await expect(call).rejects.toBe(reason)
    expect(textOf(await client.callTool({ name: 'await-cancelled', arguments: { ticket } }))).toBe(
      `${ticket} was cancelled`,
    )
  })

  it(`[${id}20] after close nothing is sent, and a session is refused by the server`, async () => {
    const client = await open()
    const session = client.getSessionId()
    expect(typeof session).toBe(stateless ? 'undefined' : 'string')
    await client.close()
    await expect(client.callTool({ name: 'echo', arguments: { message: 'x' } })).rejects.toMatchObject({
      reason: 'closed',
    })
    expect(await statusOfSession(url(), session ?? 'none')).toBe(404)
  })
}

export function describeTwoEras(surroundings: Surroundings): void {
  describe('a server of both eras, asked by itself which', () => {
    describeEra(surroundings, 'I-N', '2026-07-28', { protocolVersionDiscovery: true })
  })

  describe('a server of both eras, in the session era', () => {
    describeEra(surroundings, 'I-O', '2025-11-25', { protocolVersionDiscovery: false })

    it('[I-O21] a session that the server has ended is made anew, and the call is answered', async () => {
      const url = surroundings.servers().twoEras
      const client = await connect(surroundings, url, { protocolVersionDiscovery: false })
      const gone = client.getSessionId() ?? ''
      await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': gone, 'mcp-protocol-version': '2025-11-25' } })
      expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'anew' } }))).toBe('Echo: anew')
      expect(client.getSessionId()).not.toBe(gone)
    })
  })
}
