/** What a screen may ask of us, each decided by somebody else. Rejects with an error whose words the screen may read. */
export interface ScreenHost {
  /** What its tool was called with, and what came of it: nothing that its own server does not know. */
  input: Record<string, unknown>
  result: Record<string, unknown>
  theme: 'light' | 'dark'
  callTool(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>
  openLink(url: string): Promise<void>
  /** Puts words where the user can send them. */
  offerMessage(text: string): Promise<void>
  resize(height: number): void
  /** It will not stop talking. */
  onFlood(): void
}

const BURST = 100
const A_SECOND = 20
/** After so many messages beyond what is heard it is closed. */
const MOST_UNHEARD = 5_000
const LONGEST_TEXT = 1_000_000
const LONGEST_MESSAGE = 4_000
const LONGEST_URL = 2_000

interface Message {
  id?: string | number
  method: string
  params: Record<string, unknown>
}

/** Talks with a screen: JSON-RPC as text, each message looked at, so many in a second, and only of what is known. */
export function createBridge(send: (text: string) => void, host: ScreenHost, now: () => number = Date.now) {
  let tokens = BURST
  let at = now()
  let unheard = 0
  let isGreeted = false
  let isFed = false

  const tell = (message: object) => send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const refuse = (id: Message['id'], code: number, message: string) => {
    if (id !== undefined) tell({ id, error: { code, message } })
  }

  function mayTalk(): boolean {
    tokens = Math.min(BURST, tokens + ((now() - at) / 1000) * A_SECOND)
    at = now()
    if (tokens < 1) return false
    tokens -= 1
    return true
  }

  function greet({ id, params }: Message): void {
    isGreeted = true
    const { protocolVersion } = params
    tell({
      id,
      result: {
        // It names the revision that it was written for; what we do is the same in all.
        protocolVersion: typeof protocolVersion === 'string' ? protocolVersion.slice(0, 40) : '',
        hostInfo: { name: 'Switchboard', version: '1' },
        hostCapabilities: { openLinks: {}, serverTools: {}, message: { text: {} } },
        hostContext: { theme: host.theme, displayMode: 'inline', availableDisplayModes: ['inline'], platform: 'web' },
      },
    })
  }

  function feed(): void {
    if (!isGreeted || isFed) return
    isFed = true
    tell({ method: 'ui/notifications/tool-input', params: { arguments: host.input } })
    tell({ method: 'ui/notifications/tool-result', params: host.result })
  }

  async function answer({ method, params }: Message): Promise<object> {
    switch (method) {
      case 'tools/call': {
        const { name, arguments: args = {} } = params
        if (typeof name !== 'string' || !isRecord(args)) throw new BadParams('A name and arguments are needed.')
        return host.callTool(name, args)
      }
      case 'ui/open-link': {
        const { url } = params
        if (typeof url !== 'string' || url.length > LONGEST_URL || !isWebAddress(url))
          throw new BadParams('Only addresses of the web can be opened.')
        await host.openLink(url)
        return {}
      }
      case 'ui/message': {
        const text = textIn(params['content'])
        if (text === '') throw new BadParams('Only text can be offered as a message.')
        await host.offerMessage(text.slice(0, LONGEST_MESSAGE))
        return {}
      }
      case 'ui/request-display-mode':
        return { mode: 'inline' }
      default:
        throw new Unknown(`There is no ${method.slice(0, 60)} here.`)
    }
  }

  return {
    hear(text: unknown): void {
      if (!mayTalk()) {
        if (++unheard > MOST_UNHEARD) return host.onFlood()
        const id = typeof text === 'string' && text.length < 100_000 ? read(text)?.id : undefined
        return refuse(id, -32000, 'Too many messages: this one was not heard.')
      }
      const message = typeof text === 'string' && text.length <= LONGEST_TEXT ? read(text) : undefined
      if (!message) return
      const { id, method, params } = message
      if (id === undefined) {
        if (method === 'ui/notifications/initialized') feed()
        if (method === 'ui/notifications/size-changed' && typeof params['height'] === 'number')
          host.resize(params['height'])
        return
      }
      if (method === 'ui/initialize') return greet(message)
      if (method === 'ping') return tell({ id, result: {} })
      if (!isGreeted) return refuse(id, -32600, 'ui/initialize comes first.')
      answer(message).then(
        (result) => tell({ id, result }),
        (error: unknown) => {
          const code = error instanceof Unknown ? -32601 : error instanceof BadParams ? -32602 : -32000
          refuse(id, code, error instanceof Error ? error.message.slice(0, 500) : 'It did not work.')
        },
      )
    },
  }
}

class BadParams extends Error {}
class Unknown extends Error {}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A message that asks or tells something; answers are to nothing that we asked. */
function read(text: string): Message | undefined {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(given) || given['jsonrpc'] !== '2.0') return undefined
  const { id, method, params = {} } = given
  if (typeof method !== 'string' || !isRecord(params)) return undefined
  if (id === undefined) return { method, params }
  return typeof id === 'string' || typeof id === 'number' ? { id, method, params } : undefined
}

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

function textIn(content: unknown): string {
  const blocks = Array.isArray(content) ? content.slice(0, 20) : []
  return blocks
    .map((block: unknown) => (isRecord(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .filter((text) => text.trim() !== '')
    .join('\n\n')
}
