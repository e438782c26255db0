import { createMCPClient, oauthErrorOf, signOut } from '@switchboard/mcp/oauth'
import { createProvider } from './oauth-provider.ts'

const serverUrl = new URLSearchParams(location.search).get('server') ?? 'http://localhost:4114/demo/mcp'
const provider = createProvider(serverUrl)

const byId = (id: string) => document.getElementById(id) as HTMLElement
const show = (text: string): void => void (byId('state').textContent = text)

async function listTools(): Promise<void> {
  show('Connecting…')
  byId('tools').replaceChildren()
  try {
    const client = await createMCPClient({ transport: { type: 'http', url: serverUrl, authProvider: provider } })
    for (const { name, description } of (await client.listTools()).tools) {
      const item = document.createElement('li')
      item.textContent = `${name}: ${description}`
      byId('tools').append(item)
    }
    show('Signed in')
    await client.close()
  } catch (error) {
    const { fault, message } = oauthErrorOf(error) ?? { fault: 'other', message: String(error) }
    show(`Not signed in (${fault}): ${message}`)
  } finally {
    provider.closeWindow() // it was not needed where the tokens were still good
  }
}

byId('sign-in').onclick = () => {
  provider.openWindow() // in the click itself: later the browser blocks it
  void listTools()
}
byId('sign-out').onclick = async () => {
  await signOut(provider, { serverUrl })
  byId('tools').replaceChildren()
  show('Signed out')
}
// Signed in before, or back from signing in.
if (await provider.tokens()) await listTools()
