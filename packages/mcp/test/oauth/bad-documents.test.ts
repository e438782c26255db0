import { auth, createDPoP } from '@switchboard/mcp/oauth'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, person, refusalOf, type World, world } from './scenario.ts'

type Body = string | object | number | null

const BODIES: [name: string, body: Body][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['a number', '7'],
  ['a text', '"x"'],
  ['half of it', '{"resource": "htt'],
  ['a text that is no JSON', 'Service temporarily unavailable'],
  ['5 MB', `{"x": "${'x'.repeat(5_000_000)}"}`],
  ['5 MB of blanks', ' '.repeat(5_000_000)],
  ['too many levels', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
  ['too many lists', '['.repeat(100_000)],
  ['an empty object', '{}'],
  ['a prototype', '{"__proto__": {"issuer": "x", "resource": "x"}}'],
  ['bytes of another world', '\u0000\u0001\u0002'],
]

type Order = (place: World, body: Body, status?: number) => void
const DOCUMENTS: Record<string, { order: Order; host: (place: World) => string }> = {
  'protected resource metadata': {
    order: ({ protection }, body, status) => (protection.answerMetadata = () => ({ body, ...(status && { status }) })),
    host: ({ mcp }) => mcp.host,
  },
  'authorization server metadata': {
    order: ({ as }, body, status) => {
      as.faults.set('/.well-known/oauth-authorization-server', () => ({ body, ...(status && { status }) }))
      as.faults.set('/.well-known/openid-configuration', () => ({ body, ...(status && { status }) }))
    },
    host: ({ as }) => as.host,
  },
}

for (const [name, { order, host }] of Object.entries(DOCUMENTS)) {
  describe(`the ${name}`, () => {
    it.each(BODIES)('[A1.13] that is %s is told as such', async (_, body) => {
      const place = await world()
      order(place, body)
      const provider = person(place)
      const error = await refusalOf(connect(place, provider), ['bad-document', 'issuer-mismatch'])
      expect(error.message).toContain(host(place))
      expect(error.message).toContain(name)
      expect(error.message.length).toBeLessThan(300)
      expect(provider.opened).toEqual([])
      expect(place.as.tokenRequests).toEqual([])
      expect(place.as.requests.length + place.mcp.ledger.entries.length).toBeLessThanOrEqual(6)
    })

    it.each([500, 502, 503])('[A1.13] that fails with %i is told as such, after a few questions', async (status) => {
      const place = await world()
      order(place, 'Down for maintenance', status)
      const error = await refusalOf(connect(place, person(place)), ['bad-document', 'network'])
      expect(error.message).toContain(host(place))
      expect(place.as.requests.length + place.mcp.ledger.entries.length).toBeLessThanOrEqual(12)
    })

    it('[A1.13] whose connection breaks is told as such', async () => {
      const place = await world()
      if (name.startsWith('protected')) {
        const { onRequest } = place.mcp
        place.mcp.onRequest = (exchange) =>
          exchange.entry.path.startsWith('/.well-known') ? exchange.drop() : onRequest?.(exchange)
      } else place.as.faults.set('*', () => 'drop')
      const error = await refusalOf(connect(place, person(place)), 'network')
      expect(error.message).toContain(host(place))
      expect(error.message).toContain(name)
    })
  })
}

const WRONG: unknown[] = [null, true, 7, -1, '', 'x', [], {}, [7], [null], [[]], { length: 1 }, ['\u0000']]

describe('fields of the wrong type', () => {
  it.each(['resource', 'authorization_servers', 'scopes_supported'])(
    '[A1.13] in %s of the protected resource metadata bring a typed error or are left out',
    async (name) => {
      for (const value of WRONG) {
        const place = await world()
        place.protection.metadata = { [name]: value }
        const provider = person(place)
        const outcome = await auth(provider, { serverUrl: place.mcp.url }).catch((error: unknown) => error)
        if (outcome === 'AUTHORIZED') expect(['scopes_supported']).toContain(name)
        else {
          const error = await refusalOf(Promise.reject(outcome as Error), [
            'bad-document',
            'resource-mismatch',
            'unsafe-address',
          ])
          expect(error.message).toContain(place.mcp.host)
          expect(provider.opened).toEqual([])
        }
      }
    },
  )

  const FIELDS = [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
    'scopes_supported',
    'grant_types_supported',
    'response_types_supported',
    'token_endpoint_auth_methods_supported',
    'code_challenge_methods_supported',
    'client_id_metadata_document_supported',
    'authorization_response_iss_parameter_supported',
    'dpop_signing_alg_values_supported',
  ]
  it.each(FIELDS)(
    '[A1.13] in %s of the authorization server metadata bring a typed error or are left out',
    async (name) => {
      for (const value of WRONG) {
        const place = await world()
        place.as.metadata = { [name]: value }
        const provider = person(place, { confirm: () => true, dpop: createDPoP() })
        const outcome = await auth(provider, { serverUrl: place.mcp.url }).catch((error: unknown) => error)
        if (outcome === 'AUTHORIZED') continue
        const error = await refusalOf(Promise.reject(outcome as Error), [
          'bad-document',
          'unsafe-address',
          'issuer-mismatch',
          'no-pkce',
          'no-client',
          'foreign-answer',
        ])
        expect(error.message).toContain(place.as.host)
        expect(place.as.tokenRequests).toEqual([])
      }
    },
  )

  it('[A1.13] in a challenge bring no crash, and the same sign-in', async () => {
    const headers = [
      '',
      'Bearer',
      'Bearer ,,,',
      'Bearer scope=',
      'Bearer scope="',
      'Bearer scope="\\',
      'Bearer resource_metadata=',
      'bearer SCOPE=a',
      'Negotiate, Basic realm="x", Bearer',
      `Bearer ${'x='.repeat(4000)}`,
      `Bearer ${'"'.repeat(4000)}`,
      `Bearer scope="${'\\'.repeat(8000)}`,
    ]
    for (const header of headers) {
      const place = await world({ challenge: () => header })
      const provider = person(place)
      await connect(place, provider)
      expect(provider.opened).toHaveLength(1)
    }
  })
})

describe('a server that never ends', () => {
  it('[O17] [A1.13] sending its description is left when it has sent too much', async () => {
    const place = await world()
    const { onRequest } = place.mcp
    let sent = 0
    place.mcp.onRequest = (exchange) => {
      if (!exchange.entry.path.startsWith('/.well-known')) return onRequest?.(exchange)
      const response = exchange.head(200, { 'content-type': 'application/json' })
      const piece = `"${'x'.repeat(65_536)}",`
      const pour = (): void => {
        while (!response.destroyed) {
          sent += piece.length
          if (!response.write(piece)) return void response.once('drain', pour)
        }
      }
      response.write('[')
      pour()
    }
    const error = await refusalOf(connect(place, person(place)), 'bad-document')
    expect(error.message).toContain(place.mcp.host)
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  it('[A1.13] to answer is left when people lose patience', async () => {
    const place = await world()
    place.as.faults.set('*', () => 'stall')
    const abort = new AbortController()
    const reason = new Error('lost patience')
    const asking = auth(person(place), { serverUrl: place.mcp.url, signal: abort.signal })
    await expect.poll(() => place.as.requests.length).toBeGreaterThan(0)
    abort.abort(reason)
    await expect(asking).rejects.toBe(reason)
  })

  it.each(['protected resource metadata', 'authorization server metadata', 'registration endpoint', 'token endpoint'])(
    '[O17] [A1.13] in its %s is left after a while, and named',
    async (name) => {
      let newest = new AbortController()
      const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => (newest = new AbortController()).signal)
      onTestFinished(() => spy.mockRestore())
      // The time of a request is up once it is where nobody answers it: a request that is answered has all the time.
      const stall = (): 'stall' => {
        newest.abort(new DOMException('The time is up', 'TimeoutError'))
        return 'stall'
      }
      const place = await world()
      const { onRequest } = place.mcp
      if (name.startsWith('protected')) {
        place.mcp.onRequest = (exchange) => {
          if (!exchange.entry.path.startsWith('/.well-known')) return onRequest?.(exchange)
          stall()
          exchange.stall()
        }
      }
      if (name.startsWith('authorization')) place.as.faults.set('/.well-known/oauth-authorization-server', stall)
      if (name.startsWith('registration')) place.as.faults.set('/register', stall)
      if (name.startsWith('token')) place.as.faults.set('/token', stall)
      const error = await refusalOf(auth(person(place), { serverUrl: place.mcp.url }), 'timeout')
      expect(error.message).toContain(name)
      expect(error.message).toContain((name.startsWith('protected') ? place.mcp : place.as).host)
      expect(Math.max(...spy.mock.calls.flat())).toBeLessThanOrEqual(30_000)
      expect(place.as.tokenRequests.length).toBeLessThanOrEqual(1)
    },
  )

  it('[O17] [A1.13] its list of authorization servers is asked for the first only', async () => {
    const place = await world()
    const many = Array.from({ length: 1000 }, (_, nth) => `${place.as.origin}/tenant${nth}`)
    place.protection.metadata = { authorization_servers: many }
    await refusalOf(connect(place, person(place)), 'bad-document')
    expect(place.as.requests.length).toBeLessThanOrEqual(3)
  })
})
