import { auth } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { connect, person, recordingFetch, refusalOf, startListener, world } from './scenario.ts'

const HOSTILE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\tjavascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' javascript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'FILE:///C:/Windows/System32/calc.exe',
  'a:$(calc)',
  'a:`calc`',
  'blob:https://example.com/0b9e0c7e',
  'filesystem:https://example.com/temporary/x',
  'about:blank',
  'view-source:https://example.com',
  'chrome://settings',
  'ftp://example.com/authorize',
  'ws://example.com/authorize',
  'ssh://-oProxyCommand=calc/x',
  'ms-msdt:/id PCWDiagnostic',
  'unix:///var/run/docker.sock',
  'mailto:someone@example.com',
  'tel:+15550100',
  'https://user:password@example.com/authorize',
  'https://user@example.com/authorize',
  'https://example.com@evil.example/authorize',
  'http://evil.example/authorize',
  'http://localhost.evil.example/authorize',
  'http://127.0.0.1.evil.example/authorize',
  'http://127.0.0.1@evil.example/authorize',
  'http://0x7f000001/authorize',
  'http://127.1/authorize',
  'http://[::ffff:127.0.0.1]/authorize',
  'https://example.com/authorize#fragment',
  'https://example.com\\@evil.example/authorize',
  'https:///evil.example',
  'https:evil.example',
  '//evil.example/authorize',
  '/authorize',
  'https://exam\u202eple.com/authorize',
  'https://example.com/ authorize',
  '',
  'not an address',
]

describe('[A1.1] a hostile sign-in page', () => {
  it.each(HOSTILE)('[O12] [A1.1] %j is never opened', async (address) => {
    const place = await world()
    place.as.metadata = { authorization_endpoint: address }
    const provider = person(place, { confirm: () => true })
    const error = await refusalOf(connect(place, provider), 'unsafe-address')
    expect(error.message).toContain(place.as.host)
    expect(provider.opened).toEqual([])
    expect(place.as.tokenRequests).toEqual([])
    expect(place.as.to('/register')).toEqual([])
  })

  it('[A1.1] there are at least forty of them', () => {
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(40)
  })

  it.each([1, {}, [], true, null, ['https://example.com']])(
    '[A1.1] an authorization_endpoint that is %j is never opened',
    async (address) => {
      const place = await world()
      place.as.metadata = { authorization_endpoint: address }
      const provider = person(place, { confirm: () => true })
      await refusalOf(connect(place, provider), ['unsafe-address', 'bad-document'])
      expect(provider.opened).toEqual([])
      expect(place.as.tokenRequests).toEqual([])
    },
  )

  it('[A1.1] without an authorization_endpoint nobody is sent anywhere', async () => {
    const place = await world()
    place.as.metadata = { authorization_endpoint: undefined }
    const provider = person(place)
    await refusalOf(connect(place, provider), ['unsafe-address', 'bad-document'])
    expect(provider.opened).toEqual([])
  })

  it('[A1.1] a page on loopback is not opened for a server that is elsewhere', async () => {
    const place = await world()
    const { mcp, as } = place
    as.name = 'https://as.example'
    as.metadata = { authorization_endpoint: `${as.origin}/authorize` }
    const { fetch } = recordingFetch({ 'https://mcp.example': mcp.origin, 'https://as.example': as.origin })
    place.protection.metadata = { resource: 'https://mcp.example/mcp' }
    place.protection.challenge = () => undefined
    const provider = person(place, { serverUrl: 'https://mcp.example/mcp', confirm: () => true })
    await refusalOf(auth(provider, { serverUrl: 'https://mcp.example/mcp', fetchFn: fetch }), 'unsafe-address')
    expect(provider.opened).toEqual([])
  })

  it('[A1.1] what the sign-in page is asked is added to its address, not written over it', async () => {
    const place = await world()
    place.as.metadata = { authorization_endpoint: `${place.as.origin}/authorize?tenant=7&client_id=evil&state=evil` }
    const provider = person(place)
    await connect(place, provider)
    const [url] = provider.opened
    expect(url?.searchParams.getAll('tenant')).toEqual(['7'])
    expect(url?.searchParams.getAll('client_id')).toEqual([[...place.as.clients.keys()][0]])
    expect(url?.searchParams.getAll('state')).toHaveLength(1)
  })
})

const INSIDE = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:10.0.0.1]/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://127.1/',
  'http://0177.0.0.1/',
  'http://localtest.me/',
  'http://10.0.0.1/',
  'http://192.168.1.1/admin',
  'http://[fd00::1]/',
  'http://[::]/',
  'http://0.0.0.0/',
  'http://metadata.google.internal/',
  'http://localhost.evil.example/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
]

describe('[A1.6] an address inside the network', () => {
  it.each(INSIDE)('[A1.6] %s as resource_metadata is not asked', async (address) => {
    const place = await world({ challenge: () => `Bearer resource_metadata="${address}"` })
    const { fetch, origins } = recordingFetch()
    const provider = person(place)
    await refusalOf(connect(place, provider, { fetch }), 'unsafe-address')
    expect(origins()).toEqual([place.mcp.origin])
    expect(provider.opened).toEqual([])
  })

  it.each(INSIDE)('[O12] [A1.6] %s as authorization server is not asked', async (address) => {
    const place = await world()
    place.protection.metadata = { authorization_servers: [address] }
    const { fetch, origins } = recordingFetch()
    const provider = person(place)
    await refusalOf(connect(place, provider, { fetch }), 'unsafe-address')
    expect(origins()).toEqual([place.mcp.origin])
    expect(provider.opened).toEqual([])
  })

  it.each(
    INSIDE.flatMap((address) =>
      ['token_endpoint', 'registration_endpoint', 'revocation_endpoint'].map((name) => [address, name]),
    ),
  )('[A1.6] %s as %s is not asked', async (address, name) => {
    const place = await world()
    place.as.metadata = { [name!]: address }
    const { fetch, origins } = recordingFetch()
    const provider = person(place, { confirm: () => true })
    const error = await refusalOf(connect(place, provider, { fetch }), 'unsafe-address')
    expect(error.message).toContain(name)
    expect(origins()).toEqual([place.mcp.origin, place.as.origin])
    expect(provider.opened).toEqual([])
  })

  it('[A1.6] loopback is not asked for a server that is elsewhere, in any document', async () => {
    const canary = await startListener()
    const place = await world()
    const { mcp, as, protection } = place
    as.name = 'https://as.example'
    const serverUrl = 'https://mcp.example/mcp'
    const { fetch } = recordingFetch({ 'https://mcp.example': mcp.origin, 'https://as.example': as.origin })
    const provider = person(place, { serverUrl, confirm: () => true })
    const ask = (resourceMetadataUrl?: string) =>
      refusalOf(auth(provider, { serverUrl, fetchFn: fetch, resourceMetadataUrl }), 'unsafe-address')
    protection.metadata = { resource: serverUrl }
    await ask(`${canary.origin}/.well-known/oauth-protected-resource`)
    for (const name of ['token_endpoint', 'registration_endpoint', 'revocation_endpoint']) {
      as.metadata = { [name]: `${canary.origin}/x` }
      await ask()
    }
    protection.metadata = { resource: serverUrl, authorization_servers: [canary.origin] }
    await ask()
    expect(canary.connections).toBe(0)
    expect(provider.opened).toEqual([])
  })

  it('[A1.6] documents are asked for without cookies, without a cache and without a referrer', async () => {
    const place = await world()
    const seen: RequestInit[] = []
    const fetchFn = (url: string, init: RequestInit) => {
      seen.push(init)
      return globalThis.fetch(url, init)
    }
    expect(await auth(person(place), { serverUrl: place.mcp.url, fetchFn })).toBe('AUTHORIZED')
    expect(seen.length).toBeGreaterThanOrEqual(4)
    for (const init of seen) {
      expect(init).toMatchObject({
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      })
    }
  })
})
