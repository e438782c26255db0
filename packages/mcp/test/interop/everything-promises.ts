import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, firstEvent, type Surroundings, statusOfSession, textOf, withResolvers } from './surroundings.ts'

/** What server-everything writes of an answer it got. */
const rawResult = (text: string): unknown =>
  JSON.parse(text.slice(text.indexOf('Raw result: ') + 'Raw result: '.length))

const DEFAULTS = {
  firstLine: 'It was a dark and stormy night.',
  integer: 42,
  number: 3.14,
  untitledSingleSelectEnum: 'Monica',
  untitledMultipleSelectEnum: ['Guitar'],
  titledSingleSelectEnum: 'hero-1',
  titledMultipleSelectEnum: ['fish-1'],
  legacyTitledEnum: 'pet-1',
}

/** What holds over either transport of this server. */
function describeBothTransports(surroundings: Surroundings, id: string, url: () => string): void {
  it(`[${id}1] the session era is found without being told`, async () => {
    const client = await connect(surroundings, url())
    expect(client.getProtocolVersion()).toBe('2025-11-25')
    expect(client.serverInfo).toMatchObject({ name: 'mcp-servers/everything' })
    expect(client.instructions).toContain('Everything')
    await expect(client.ping()).resolves.toBeUndefined()
  })

  it(`[${id}2] tools, resources, templates and prompts are listed`, async () => {
    const client = await connect(surroundings, url())
    const [{ tools }, { resources }, { resourceTemplates }, { prompts }] = await Promise.all([
      client.listTools(),
      client.listResources(),
      client.listResourceTemplates(),
      client.listPrompts(),
    ])
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'get-structured-content']),
    )
    expect(tools.find((tool) => tool.name === 'get-structured-content')?.outputSchema).toMatchObject({ type: 'object' })
    expect(resources.map((resource) => resource.uri)).toContain('demo://resource/static/document/architecture.md')
    expect(resourceTemplates.map((template) => template.uriTemplate)).toContain(
      'demo://resource/dynamic/text/{resourceId}',
    )
    expect(prompts.map((prompt) => prompt.name)).toEqual(expect.arrayContaining(['simple-prompt', 'args-prompt']))
  })

  it(`[${id}3] a tool answers with text, with structured content and with an image`, async () => {
    const client = await connect(surroundings, url())
    expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'héllo 👋' } }))).toBe('Echo: héllo 👋')
    const weather = await client.callTool({ name: 'get-structured-content', arguments: { location: 'Chicago' } })
    expect(weather.structuredContent).toEqual({ temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 })
    const image = await client.callTool({ name: 'get-tiny-image', arguments: {} })
    expect(image.content).toContainEqual(
      expect.objectContaining({ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) }),
    )
  })

  it(`[${id}4] the short call gives text, data and whether it failed`, async () => {
    const client = await connect(surroundings, url())
    const weather = await client.call('get-structured-content', { location: 'New York' })
    expect(weather).toMatchObject({ data: { temperature: 33, humidity: 82 }, isError: false })
    expect(await client.call('get-sum', { a: 'one' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Invalid arguments'),
    })
  })

  it(`[${id}5] a resource is read as text and as bytes`, async () => {
    const client = await connect(surroundings, url())
    const text = await client.readResource({ uri: 'demo://resource/dynamic/text/7' })
    expect(text.contents[0]).toMatchObject({ mimeType: 'text/plain', text: expect.stringContaining('Resource 7') })
    const bytes = await client.readResource({ uri: 'demo://resource/dynamic/blob/7' })
    expect(atob((bytes.contents[0] as { blob: string }).blob)).toContain('Resource 7')
    await expect(client.readResource({ uri: 'demo://no/such/thing' })).rejects.toMatchObject({ name: 'MCPError' })
  })

  it(`[${id}6] a prompt is filled in, and its arguments are completed`, async () => {
    const client = await connect(surroundings, url())
    const prompt = await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Paris', state: 'Texas' } })
    expect(prompt.messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringContaining('Paris') })
    const ref = { type: 'ref/prompt' as const, name: 'completable-prompt' }
    const departments = await client.complete({ ref, argument: { name: 'department', value: 'S' } })
    expect(departments.completion.values).toEqual(['Sales', 'Support'])
    const people = await client.complete({
      ref,
      argument: { name: 'name', value: '' },
      context: { arguments: { department: 'Sales' } },
    })
    expect(people.completion.values).toEqual(['David', 'Eve', 'Frank'])
  })

  it(`[${id}7] progress arrives before the answer, in order`, async () => {
    const client = await connect(surroundings, url())
    const steps: unknown[] = []
    const result = await client.callTool({
      name: 'trigger-long-running-operation',
      arguments: { duration: 0.3, steps: 3 },
      options: { onProgress: ({ progress, total }) => steps.push([progress, total]) },
    })
    expect(textOf(result)).toContain('completed')
    expect(steps).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
  })

  it(`[${id}8] a log message arrives once its level is set`, async () => {
    const client = await connect(surroundings, url())
    const message = firstEvent<unknown>()
    client.onNotification((notification) => {
      if (notification.method === 'notifications/message') message.listener(notification.params)
    })
    await client.openStream()
    await client.setLogLevel('debug')
    await client.callTool({ name: 'toggle-simulated-logging', arguments: {} })
    expect(await message.seen).toMatchObject({ level: expect.any(String), data: expect.any(String) })
  })

  it(`[${id}9] a subscription tells of updates until it is closed`, async () => {
    const client = await connect(surroundings, url())
    const uri = 'demo://resource/dynamic/text/3'
    const updated = firstEvent<unknown>()
    const subscription = await client.subscribe(uri, () => updated.listener(uri))
    await client.callTool({ name: 'toggle-subscriber-updates', arguments: {} })
    expect(await updated.seen).toBe(uri)
    await subscription.close()
    expect(textOf(await client.callTool({ name: 'toggle-subscriber-updates', arguments: {} }))).toContain('Stopped')
  })

  it(`[${id}10] a form is asked for, and what it leaves open gets the schema's defaults`, async () => {
    const asked = firstEvent<string>()
    const client = await connect(surroundings, url(), {
      onElicitationRequest: ({ params }) => {
        asked.listener(params.message)
        return { action: 'accept', content: { name: 'Ada' } }
      },
    })
    const result = await client.callTool({ name: 'trigger-elicitation-request', arguments: {} })
    expect(await asked.seen).toBe('Please provide inputs for the following fields:')
    expect(rawResult(textOf(result))).toEqual({ action: 'accept', content: { name: 'Ada', ...DEFAULTS } })
  })

  it(`[${id}11] a form that is declined says so and carries no content`, async () => {
    const client = await connect(surroundings, url(), { onElicitationRequest: () => ({ action: 'decline' }) })
    const result = await client.callTool({ name: 'trigger-elicitation-request', arguments: {} })
    expect(rawResult(textOf(result))).toEqual({ action: 'decline' })
  })

  it(`[${id}12] a page to open is asked for with its whole address`, async () => {
    const asked = firstEvent<unknown>()
    const client = await connect(surroundings, url(), {
      onElicitationRequest: ({ params }) => {
        asked.listener(params)
        return { action: 'accept' }
      },
    })
    const page = 'https://pay.example/order?id=7&step=2#card'
    const result = await client.callTool({ name: 'trigger-url-elicitation', arguments: { url: page, message: 'Pay' } })
    expect(await asked.seen).toMatchObject({ mode: 'url', url: page, message: 'Pay' })
    expect(rawResult(textOf(result))).toEqual({ action: 'accept' })
  })

  it(`[${id}13] the model of the client answers a sampling request`, async () => {
    const asked = firstEvent<unknown>()
    const client = await connect(surroundings, url(), {
      onSamplingRequest: ({ params }) => {
        asked.listener(params.messages)
        return { role: 'assistant', model: 'test-model', content: { type: 'text', text: 'All is well.' } }
      },
    })
    const result = await client.callTool({
      name: 'trigger-sampling-request',
      arguments: { prompt: 'How is it?', maxTokens: 10 },
    })
    expect(await asked.seen).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('How is it?') } }])
    expect(textOf(result)).toContain('All is well.')
  })

  it(`[${id}14] the server learns the roots of the client, and when they change`, async () => {
    const client = await connect(surroundings, url(), { roots: [{ uri: 'file:///one', name: 'One' }] })
    const changed = firstEvent<unknown>()
    client.onNotification(({ params }) => {
      if (JSON.stringify(params ?? {}).includes('Roots updated: 2')) changed.listener(params)
    })
    await client.openStream()
    expect(textOf(await client.callTool({ name: 'get-roots-list', arguments: {} }))).toContain('file:///one')
    await client.setRoots([
      { uri: 'file:///one', name: 'One' },
      { uri: 'file:///two', name: 'Two' },
    ])
    await changed.seen
    expect(textOf(await client.callTool({ name: 'get-roots-list', arguments: {} }))).toContain('file:///two')
  })

  it(`[${id}15] an aborted call ends with the caller's own reason, and the client goes on`, async () => {
    const client = await connect(surroundings, url())
    const abort = new AbortController()
    const reason = new Error('the user pressed stop')
    const call = client.callTool({
      name: 'trigger-long-running-operation',
      arguments: { duration: 60, steps: 600 },
      options: { signal: abort.signal, onProgress: () => abort.abort(reason) },
    })
    await expect(call).rejects.toBe(reason)
    expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'still here' } }))).toBe(
      'Echo: still here',
    )
  })

  it(`[${id}16] twenty calls at once each get their own answer`, async () => {
    const client = await connect(surroundings, url())
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    const sums = await Promise.all(
      numbers.map((a) => client.callTool({ name: 'get-sum', arguments: { a, b: 100 } }).then(textOf)),
    )
    expect(sums).toEqual(numbers.map((a) => expect.stringContaining(`is ${a + 100}.`)))
  })

  it(`[${id}17] after close nothing is sent, and a second close is fine`, async () => {
    const client = await connect(surroundings, url())
    await client.close()
    await client.close()
    await expect(client.callTool({ name: 'echo', arguments: { message: 'x' } })).rejects.toMatchObject({
      name: 'MCPError',
      reason: 'closed',
    })
  })
}

export function describeEverything(surroundings: Surroundings): void {
  describe('server-everything over Streamable HTTP', () => {
    const url = () => surroundings.servers().everything
    describeBothTransports(surroundings, 'I-E', url)

    it('[I-E18] a page that must be opened first is asked for, and then the tool runs', async () => {
      const asked: unknown[] = []
      const client = await connect(surroundings, url(), {
        onElicitationRequest: ({ params }) => {
          asked.push(params.url)
          return { action: 'accept' }
        },
      })
      const result = await client.callTool({
        name: 'trigger-url-elicitation',
        arguments: { url: 'https://pay.example/', errorPath: true },
      })
      expect(asked).toEqual(['https://modelcontextprotocol.io', 'https://pay.example/'])
      expect(rawResult(textOf(result))).toEqual({ action: 'accept' })
    })

    it('[I-E19] a saved session is continued by another client', async () => {
      const first = await surroundings.createClient({
        transport: { type: 'http', url: url(), terminateSessionOnClose: false },
      })
      const session = first.saveSession()
      const id = first.getSessionId()
      await first.close()
      expect(id).toEqual(expect.any(String))
      const second = await connect(surroundings, url(), { session: JSON.parse(JSON.stringify(session)) })
      expect(second.getSessionId()).toBe(id)
      expect(second.getProtocolVersion()).toBe('2025-11-25')
      expect(second.serverInfo).toMatchObject({ name: 'mcp-servers/everything' })
      expect(textOf(await second.callTool({ name: 'echo', arguments: { message: 'again' } }))).toBe('Echo: again')
    })

    it('[I-E20] close ends the session: the server refuses its id afterwards', async () => {
      const client = await connect(surroundings, url())
      const id = client.getSessionId() ?? ''
      expect(await statusOfSession(url(), id)).toBe(200)
      await client.close()
      expect(await statusOfSession(url(), id)).toBe(400)
    })

    it('[I-E21] a session that the server has forgotten is made anew, and the call is answered', async () => {
      const first = await surroundings.createClient({ transport: { type: 'http', url: url() } })
      const session = first.saveSession()
      const gone = first.getSessionId()
      await first.close()
      const second = await connect(surroundings, url(), { session: session as NonNullable<typeof session> })
      expect(textOf(await second.callTool({ name: 'echo', arguments: { message: 'anew' } }))).toBe('Echo: anew')
      expect(second.getSessionId()).not.toBe(gone)
    })

    it('[I-E22] a page that must be opened first and is declined ends the call', async () => {
      const asked: unknown[] = []
      const client = await connect(surroundings, url(), {
        onElicitationRequest: ({ params }) => {
          asked.push(params.url)
          return { action: 'decline' }
        },
      })
      const call = client.callTool({
        name: 'trigger-url-elicitation',
        arguments: { url: 'https://pay.example/declined', errorPath: true },
      })
      await expect(call).rejects.toMatchObject({ name: 'MCPError', code: -32042 })
      expect(asked).toEqual(['https://modelcontextprotocol.io'])
    })
  })

  describe('server-everything over HTTP+SSE', () => {
    const url = () => surroundings.servers().everythingSse
    describeBothTransports(surroundings, 'I-S', url)

    it('[I-S18] the old transport can be asked for by name', async () => {
      const client = await surroundings.createClient({ transport: { type: 'sse', url: url() } })
      onTestFinished(() => client.close())
      expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'old' } }))).toBe('Echo: old')
    })

    it('[I-S19] calls under way end when the client is closed', async () => {
      const client = await connect(surroundings, url())
      const begun = withResolvers<void>()
      const call = client.callTool({
        name: 'trigger-long-running-operation',
        arguments: { duration: 60, steps: 600 },
        options: { onProgress: () => begun.resolve() },
      })
      const [ended] = await Promise.allSettled([call, begun.promise.then(() => client.close())])
      expect(ended).toMatchObject({ status: 'rejected', reason: { name: 'MCPError', reason: 'closed' } })
    })
  })
}
