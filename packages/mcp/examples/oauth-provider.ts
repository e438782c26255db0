import { BrowserOAuthProvider, databaseStorage } from '@switchboard/mcp/oauth'

const query = new URLSearchParams(location.search)

/** The page and the page people come back to have the same. */
export function createProvider(serverUrl: string): BrowserOAuthProvider {
  return new BrowserOAuthProvider({
    serverUrl,
    // Survives a reload and is shared by all tabs. Every script of this origin can read it: let no stranger's in.
    storage: databaseStorage(),
    redirectUrl: '/oauth-callback.html',
    clientName: 'Example',
    ...(query.get('display') === 'redirect' && { display: 'redirect' }),
  })
}
