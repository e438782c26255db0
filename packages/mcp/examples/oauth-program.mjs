// A program that signs in with a name and a secret of its own, without a person.
import { ClientCredentialsProvider, createMCPClient, oauthErrorOf } from '@switchboard/mcp/oauth'

const serverUrl = process.argv[2] ?? 'http://localhost:4114/demo/mcp'
const authProvider = new ClientCredentialsProvider({
  serverUrl,
  clientId: process.env.CLIENT_ID ?? 'example',
  clientSecret: process.env.CLIENT_SECRET ?? 'secret',
  issuer: process.env.ISSUER, // whose secret it is: shown to no other authorization server
})

try {
  const client = await createMCPClient({ transport: { type: 'http', url: serverUrl, authProvider } })
  console.log((await client.listTools()).tools.map((tool) => tool.name).join(', '))
  await client.close()
} catch (error) {
  const { fault, message } = oauthErrorOf(error) ?? { fault: 'other', message: String(error) }
  console.log(`Not signed in (${fault}): ${message}`)
}
