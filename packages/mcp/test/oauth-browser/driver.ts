import * as mcp from '@switchboard/mcp/oauth'

/** What a call came to, as plain data. */
export interface Outcome {
  text?: string
  fault?: string | undefined
  message?: string
}

interface Options {
  serverUrl: string
  display?: 'popup' | 'redirect'
  timeoutMs?: number
}

let client: Promise<mcp.MCPClient> | undefined
let provider: mcp.BrowserOAuthProvider | undefined
/** What the button begins. */
let onPress = (): void => {}

const driver = {
  mcp,
  provide: (options: Options): mcp.BrowserOAuthProvider =>
    (provider ??= new mcp.BrowserOAuthProvider({
      redirectUrl: '/oauth-callback.html',
      storage: mcp.databaseStorage(),
      ...options,
    })),
  /** One call of a tool, with whatever it takes. */
  call: async (options: Options, name = 'whoami'): Promise<Outcome> => {
    const authProvider = driver.provide(options)
    client ??= mcp.createMCPClient({ transport: { type: 'http', url: options.serverUrl, authProvider } })
    try {
      return { text: String((await (await client).call(name, {})).text) }
    } catch (error) {
      client = undefined
      return { fault: mcp.oauthErrorOf(error)?.fault, message: error instanceof Error ? error.message : String(error) }
    }
  },
  /** The same as soon as somebody presses the button, in a window that is opened there. */
  callOnPress: (options: Options): void => {
    onPress = () => {
      driver.provide(options).openWindow()
      driver.outcome = driver.call(options)
    }
  },
  outcome: undefined as Promise<Outcome> | undefined,
  /** How many steps were taken since the token endpoint answered, until its tokens were stored. */
  steps: 0,
  /** Stands still at one of these steps, for whoever waits at `address` to end the process. */
  stopAt: (step: number, address: string): void => {
    let counting = false
    const count = (): void => {
      if (!counting || ++driver.steps !== step) return
      const request = new XMLHttpRequest()
      // Nothing of this page runs until it is answered, and it is not.
      request.open('GET', address, false)
      request.send()
    }
    /** Counts before and after what is done at once. */
    const around = (owner: object, name: string): void => {
      const usual = Reflect.get(owner, name) as (...given: unknown[]) => unknown
      Reflect.set(owner, name, function counted(this: unknown, ...given: unknown[]) {
        count()
        const done = usual.apply(this, given)
        count()
        return done
      })
    }
    const { fetch } = globalThis
    globalThis.fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).endsWith('/token')) return response
      counting = true
      count()
      return response
    }
    around(ReadableStreamDefaultReader.prototype, 'read')
    around(TextDecoder.prototype, 'decode')
    around(JSON, 'parse')
    around(JSON, 'stringify')
    around(Response, 'json')
    around(IDBDatabase.prototype, 'transaction')
    around(IDBObjectStore.prototype, 'put')
    const { saveTokens } = mcp.StoredProvider.prototype
    mcp.StoredProvider.prototype.saveTokens = async function saved(tokens) {
      count()
      await saveTokens.call(this, tokens)
      count()
      counting = false
    }
  },
}
export type Driver = typeof driver

document.querySelector('button')?.addEventListener('click', () => onPress())
Object.assign(globalThis, { driver })
// A call that nobody pressed anything for: what Playwright runs in a page counts as a click, this does not.
const query = new URLSearchParams(location.search)
const serverUrl = query.get('call')
if (serverUrl) {
  if (query.has('open')) driver.provide({ serverUrl }).openWindow()
  driver.outcome = driver.call({ serverUrl })
  const { text, fault } = await driver.outcome
  console.log(`outcome: ${text ?? fault}`)
}
