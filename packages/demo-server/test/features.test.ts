import { inflateSync } from 'node:zlib'
import { createMCPClient, type MCPClient, type MCPClientConfig } from '@switchboard/mcp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Demo, startDemo } from './demo.ts'

let demo: Demo
beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  demo = await startDemo({})
})
afterAll(() => demo.close())

const heard = (listener: () => void) => vi.waitFor(() => expect(listener).toHaveBeenCalled(), 60_000)

const eras = [
  { era: 'sessions', discovery: false },
  { era: 'stateless', discovery: true },
]

describe.each(eras)('the demo server shows a client of the $era era', ({ discovery }) => {
  async function connect(config: Partial<MCPClientConfig> = {}): Promise<MCPClient> {
    const transport = { type: 'http', url: demo.mcpUrl } as const
    const client = await createMCPClient({ transport, protocolVersionDiscovery: discovery, ...config })
    onTestFinished(() => client.close())
    return client
  }

  test('an image that is one', async () => {
    const { content } = await (await connect()).callTool({ name: 'draw_chart', arguments: { values: [1, 23, 456] } })
    const png = Buffer.from((content[1] as { data: string }).data, 'base64')
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
    const begin = png.indexOf('IDAT')
    const rows = inflateSync(png.subarray(begin + 4, begin + 4 + png.readUInt32BE(begin - 4)))
    expect(rows).toHaveLength((width + 1) * height)
    expect(new Set(rows)).toEqual(new Set([0, 1, 2, 3]))
  })

  test('a question that is an address to visit', async () => {
    const asked: unknown[] = []
    const client = await connect({
      onElicitationRequest: ({ params }) => {
        asked.push(params['url'])
        return { action: asked.length === 1 ? 'accept' : 'decline' }
      },
    })
    expect((await client.call('confirm_by_link')).text).toBe('Thank you for looking.')
    expect((await client.call('confirm_by_link')).text).toContain('did not want to look')
    expect(asked).toEqual([`${demo.url}confirm.html`, `${demo.url}confirm.html`])
  })

  test('a failed tool, a refused call, a connection that ends, and a session that nobody misses', async () => {
    const client = await connect()
    const fail = (how: string) => client.call('fail_on_purpose', { how })
    expect(await fail('answer with an error')).toMatchObject({ isError: true })
    await expect(fail('refuse the call')).rejects.toMatchObject({ code: -32602 })
    await expect(fail('hang up in the middle')).rejects.toSatisfy((error: { isOutcomeUnknown(): boolean }) =>
      error.isOutcomeUnknown(),
    )
    const before = client.getSessionId()
    expect((await fail('forget the session')).text).toContain('nobody noticed')
    if (!discovery) expect(client.getSessionId()).not.toBe(before)
  })

  test('notes that come, change and go, and tells who listens', async () => {
    const client = await connect()
    const names = async () => (await client.listResources()).resources.map(({ uri }) => uri)
    let hasOthers = vi.fn()
    client.onListChanged('resources', () => hasOthers())
    const hasChanged = vi.fn()
    const watching = await client.subscribe('note://a%20plan', hasChanged)
    const write = (text: string) => client.call('write_note', { name: 'a plan', text })
    await client.openStream()
    await write('Sleep.')
    await heard(hasOthers)
    expect(await names()).toContain('note://a%20plan')
    await heard(hasChanged)
    const { contents } = await client.readResource({ uri: 'note://a%20plan' })
    expect(contents).toMatchObject([{ text: 'Sleep.' }])
    await watching.close()
    hasOthers = vi.fn()
    expect((await client.call('delete_note', { name: 'a plan' })).text).toBe('Deleted "a plan".')
    await heard(hasOthers)
    expect(await names()).not.toContain('note://a%20plan')
    const again = await client.call('delete_note', { name: 'a plan' })
    expect(again).toMatchObject({ isError: true, text: expect.stringContaining('There are: groceries, ideas') })
    await expect(client.readResource({ uri: 'note://a%20plan' })).rejects.toThrow()
  })

  test('what it is, and a clock that tells the time', async () => {
    const client = await connect()
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string }
    expect((await read('demo://about')).text).toContain('exists to be tried')
    expect(Date.parse((await read('demo://clock')).text)).toBeCloseTo(Date.now(), -5)
    expect((await client.call('world_clock', { timeZone: 'Asia/Tokyo' })).text).toMatch(/^In Asia\/Tokyo it is/)
    expect(await client.call('world_clock', { timeZone: 'Moon/Base' })).toMatchObject({ isError: true })
  })

  test('prompts, and completes what is typed into them', async () => {
    const client = await connect()
    const plan = await client.getPrompt({ name: 'plan_day', arguments: { city: 'Oslo' } })
    expect(JSON.stringify(plan.messages)).toContain('Plan a day in Oslo')
    const summary = await client.getPrompt({ name: 'summarise_note', arguments: { name: 'groceries' } })
    expect(JSON.stringify(summary.messages)).toContain('a lemon')
    const complete = async (ref: { type: 'ref/prompt'; name: string }, name: string, value: string) =>
      (await client.complete({ ref, argument: { name, value } })).completion.values
    expect(await complete({ type: 'ref/prompt', name: 'plan_day' }, 'city', 'L')).toEqual(['Lima', 'Lisbon', 'London'])
    expect(await complete({ type: 'ref/prompt', name: 'summarise_note' }, 'name', 'tra')).toEqual(['travel'])
  })

  test('long work that needs no task', async () => {
    const client = await connect({ tasks: false })
    expect((await client.call('bake_bread', { millisecondsPerStep: 1 })).text).toBe('A golden bread.')
  })
})
