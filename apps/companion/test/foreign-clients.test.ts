import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { programOf } from '@switchboard/testkit/real-servers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everything, folder, node, type Running, start } from './scenario.ts'

const info = { name: 'foreign', version: '1.0.0' }
const capabilities = { elicitation: { form: {} } }
const options = (companion: Running) => ({ requestInit: { headers: { 'x-switchboard-token': companion.token } } })
const address = (companion: Running, name: string) => new URL(`${companion.origin}/mcp/${name}`)
const accept = async () => ({ action: 'accept' as const, content: { name: 'Ada' } })

const clients = [
  {
    name: 'the official client 1.x, sessions',
    async open(companion: Running, server: string) {
      const client = new OldClient(info, { capabilities })
      const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js')
      client.setRequestHandler(ElicitRequestSchema, accept)
      await client.connect(new OldTransport(address(companion, server), options(companion)) as never)
      return { client: client as unknown as Client, era: 'legacy' }
    },
  },
  {
    name: 'the official client 2.x, sessions',
    async open(companion: Running, server: string) {
      const client = new Client(info, { capabilities })
      client.setRequestHandler('elicitation/create', accept)
      await client.connect(new StreamableHTTPClientTransport(address(companion, server), options(companion)))
      return { client, era: client.getProtocolEra() }
    },
  },
  {
    name: 'the official client 2.x, stateless',
    async open(companion: Running, server: string) {
      const client = new Client(info, { capabilities, versionNegotiation: { mode: 'auto' } })
      client.setRequestHandler('elicitation/create', accept)
      await client.connect(new StreamableHTTPClientTransport(address(companion, server), options(companion)))
      return { client, era: client.getProtocolEra() }
    },
  },
]

const text = (result: unknown): string =>
  ((result as { content: { text?: string }[] }).content ?? []).map((part) => part.text ?? '').join('\n')

describe.each(clients)('$name', ({ name, open }) => {
  it.each(['everything', 'memory', 'files'])('lists and calls %s through the bridge', async (server) => {
    const root = await folder()
    const companion = await start({
      everything: everything(),
      memory: {
        ...node(programOf('@modelcontextprotocol/server-memory')),
        env: { MEMORY_FILE_PATH: `${root}/memory.jsonl` },
      },
      files: node(programOf('@modelcontextprotocol/server-filesystem'), root),
    })
    const { client, era } = await open(companion, server)
    onTestFinished(() => client.close())
    expect(era).toBe(name.endsWith('stateless') ? 'modern' : 'legacy')
    expect((await client.listTools()).tools.length).toBeGreaterThan(5)
    const calls: Record<string, [string, Record<string, unknown>, string]> = {
      everything: ['echo', { message: 'hi' }, 'Echo: hi'],
      memory: ['read_graph', {}, 'entities'],
      files: ['list_allowed_directories', {}, root],
    }
    const [tool, args, words] = calls[server]!
    expect(text(await client.callTool({ name: tool, arguments: args }))).toContain(words)
  })

  it('hears of progress, and answers what is asked', async () => {
    const companion = await start({ everything: everything() })
    const { client } = await open(companion, 'everything')
    onTestFinished(() => client.close())
    const steps: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress)
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 3 } }
    await (name.includes('1.x')
      ? (client as unknown as OldClient).callTool(long, undefined, { onprogress })
      : client.callTool(long, { onprogress }))
    expect(steps).toEqual([1, 2, 3])
    expect(text(await client.callTool({ name: 'trigger-elicitation-request', arguments: {} }))).toContain('Ada')
  })
})
