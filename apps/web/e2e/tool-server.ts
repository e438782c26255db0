import { type Exchange, type FaultServer, type FaultTool, startFaultServer } from '@switchboard/testkit/fault-server'

export interface ToolServer extends FaultServer {
  /** The bodies of `tools/call`, byte for byte, in the order in which they came. */
  readonly callBodies: string[]
  /** Resolves when the tool has run so often. */
  untilRun(tool: string, times: number): Promise<void>
  /** Lets every call of `slow` that waits, and all that come, have its answer. */
  release(): void
}

/** What a model says to have a tool of this server called. */
export const call = (tool: string, input: Record<string, string> = {}) => ({ name: `notes__${tool}`, input })

const text = (said: string) => ({ resultType: 'complete', content: [{ type: 'text', text: said }] })
const takes = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
})

const tools: Record<string, FaultTool> = {
  note: {
    description: 'Keeps a note',
    inputSchema: takes('text'),
    run: (given) => text(`Kept the note "${String(given['text'])}".`),
  },
  look: {
    description: 'Reads a note',
    inputSchema: takes('text'),
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: (given) => text(`Read the note "${String(given['text'])}".`),
  },
  broken: {
    description: 'Always fails',
    inputSchema: takes(),
    run: () => ({ ...text('The shelf is full: 12 of 12 places are taken.'), isError: true }),
  },
  slow: {
    description: 'Answers when it may',
    inputSchema: takes('mark'),
    run: (given) => text(`Slowly did ${String(given['mark'])}.`),
  },
}

/** An MCP server that counts what it runs; `slow` runs at once and answers when the test lets it. */
export async function startToolServer(): Promise<ToolServer> {
  const callBodies: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const onRequest = async (exchange: Exchange) => {
    if (exchange.tool === undefined) return
    callBodies.push(exchange.body)
    if (exchange.tool !== 'slow') return
    exchange.take()
    const reply = exchange.reply()
    await released
    if (!exchange.response.destroyed) exchange.json(reply)
  }
  const server = await startFaultServer({ era: 'both', cors: true, tools, onRequest })
  server.serverName = 'Notes'
  const { ledger } = server
  const untilRun = (tool: string, times: number) =>
    ledger.until(() => ledger.executionsOf(tool) >= times, `${times} × ${tool}`, 20_000)
  return Object.assign(server, { callBodies, untilRun, release })
}
