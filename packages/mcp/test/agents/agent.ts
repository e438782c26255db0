import { createMCPClient, type MCPClient } from '@switchboard/mcp'
import type { LlmFormat } from '@switchboard/testkit/llm-endpoint'

/** What an agent needs of one version of the AI SDK. */
export interface AiSdk {
  streamText(settings: Record<string, unknown>): { fullStream: AsyncIterable<StreamPart> }
  /** Ends a run after so many steps. */
  stopAfter(steps: number): unknown
  model(format: LlmFormat, baseURL: string): unknown
}

interface StreamPart {
  type: string
  toolName?: string
  toolCallId?: string
  output?: unknown
  preliminary?: boolean
  error?: unknown
  text?: string
  title?: string
  toolMetadata?: unknown
}

/** Plain data: it travels to a page. */
export interface Assignment {
  format: LlmFormat
  llmUrl: string
  servers: { url: string; sessions?: boolean }[]
  /** Abort as soon as the server has begun with this tool. */
  abortIn?: string
  /** Whose progress is shown while it runs. */
  slow?: string
}

/** What came of it, as plain data. */
export interface Story {
  text: string
  steps: number
  aborted: boolean
  results: { tool: string; output: unknown; preliminary: boolean }[]
  errors: string[]
  metadata: unknown[]
}

type Tools = Awaited<ReturnType<MCPClient['tools']>>

/** An agent with the tools of some servers: asks the model, runs what it calls, until it has nothing more to call. */
export async function runAgent(ai: AiSdk, assignment: Assignment): Promise<Story> {
  const { format, llmUrl, servers, abortIn, slow } = assignment
  const clients = await Promise.all(
    servers.map(({ url, sessions }) =>
      createMCPClient({ transport: { type: 'http', url }, protocolVersionDiscovery: !sessions, clientName: 'agent' }),
    ),
  )
  try {
    const tools: Tools = Object.assign({}, ...(await Promise.all(clients.map((client) => client.tools()))))
    if (slow) Object.assign(tools, { [slow]: withProgress(clients, slow, tools[slow]!) })
    const stop = new AbortController()
    const story: Story = { text: '', steps: 0, aborted: false, results: [], errors: [], metadata: [] }
    const { fullStream } = ai.streamText({
      model: ai.model(format, llmUrl),
      tools,
      prompt: 'Do what has to be done.',
      stopWhen: ai.stopAfter(10),
      maxRetries: 0,
      maxOutputTokens: 1000,
      abortSignal: stop.signal,
      onError: () => {},
    })
    for await (const part of fullStream) {
      note(story, part)
      if (part.type === 'tool-call' && part.toolName === abortIn) {
        // A call that is answered after it was sent shows that it has arrived.
        await clients[0]?.call('echo', { message: 'is it there?' })
        stop.abort(new Error('the user has seen enough'))
      }
    }
    if (abortIn) story.results.push(await whatWasCancelled(clients[0]!))
    return story
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
}

function note(story: Story, part: StreamPart): void {
  const { type, toolName = '', output, preliminary = false, error, text = '', toolMetadata } = part
  if (type === 'text-delta') story.text += text
  if (type === 'finish-step') story.steps++
  if (type === 'abort') story.aborted = true
  if (type === 'tool-result') story.results.push({ tool: toolName, output, preliminary })
  if (type === 'tool-error' || type === 'error')
    story.errors.push(error instanceof Error ? error.message : String(error))
  if (type === 'tool-call') story.metadata.push(toolMetadata)
}

async function whatWasCancelled(client: MCPClient): Promise<Story['results'][number]> {
  const { text } = await client.call('await-cancelled', { ticket: 'agent' })
  return { tool: 'await-cancelled', output: text, preliminary: false }
}

/** Progress as results that are not final yet, which the AI SDK shows to the user and not to the model. */
function withProgress(clients: MCPClient[], name: string, tool: Tools[string]): object {
  return {
    ...tool,
    async *execute(args: Record<string, unknown>, { abortSignal }: { abortSignal?: AbortSignal }) {
      const seen: unknown[] = []
      let wake = (): void => {}
      const client = clients.at(-1)!
      const call = client.callTool({
        name,
        arguments: args,
        options: {
          signal: abortSignal,
          onProgress: (progress) => {
            seen.push(progress)
            wake()
          },
        },
      })
      let over = false
      void call
        .catch(() => {})
        .finally(() => {
          over = true
          wake()
        })
      while (!over || seen.length > 0) {
        if (seen.length > 0) yield seen.shift()
        else await new Promise<void>((resolve) => (wake = resolve))
      }
      yield await call
    },
  }
}
