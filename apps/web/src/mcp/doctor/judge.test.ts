import { describe, expect, it } from 'vitest'
import type { Answer, CompanionSight, Evidence } from './evidence.ts'
import { judge } from './judge.ts'

const evidence = (change: Partial<Evidence>): Evidence => ({
  name: 'Weather',
  url: 'https://weather.example/mcp',
  appOrigin: 'http://localhost:4114',
  authentication: 'none',
  ownHeaders: [],
  isRelayed: false,
  hasCompanion: true,
  isOnline: true,
  failure: { code: 'server-unreachable', message: 'No answer from Weather.' },
  ...change,
})
const answered = (change: Partial<Extract<Answer, { type: 'answered' }>> = {}): Answer => ({
  type: 'answered',
  status: 200,
  contentType: 'application/json',
  body: 'mcp',
  ...change,
})
const failed: Answer = { type: 'failed' }
const hidden: Answer = { type: 'hidden' }
const late: Answer = { type: 'late' }
const silent = { post: failed, get: failed, knock: failed }
const seen = (
  preflight: Record<string, string>,
  answer: Record<string, string> = {},
  status = 405,
): CompanionSight => ({
  outcome: 'answered',
  preflight: { status: 204, headers: preflight },
  answer: { status, headers: answer },
})
const open = { 'access-control-allow-origin': '*' }
const typesOf = (change: Partial<Evidence>) => judge(evidence(change)).fixes.map(({ type }) => type)
const layerOf = (change: Partial<Evidence>) => judge(evidence(change)).layer

describe('nobody answers', () => {
  it('a page alone does not claim to know which of name, server and certificate it is', () => {
    const { layer, sentence, fixes } = judge(evidence({ ...silent, hasCompanion: false }))
    expect(layer).toBe('unreachable')
    expect(sentence).toContain('the name is unknown, nothing listens there or its certificate is not valid')
    expect(fixes.map(({ type }) => type)).toEqual(['wait', 'companion'])
  })
  it('of this machine, no name and no certificate are doubted', () => {
    const { sentence } = judge(evidence({ ...silent, url: 'http://localhost:1/mcp', hasCompanion: false }))
    expect(sentence).toBe('Nobody answers at localhost:1: nothing listens there.')
  })
  it.each([
    ['dns', 'dns'],
    ['refused', 'unreachable'],
    ['tls', 'tls'],
    ['late', 'time-out'],
    ['broken', 'unreachable'],
    ['private', 'local-network'],
  ] as const)('what the companion calls %s is the layer %s', (outcome, layer) => {
    expect(layerOf({ ...silent, companion: { outcome, reason: 'x' } })).toBe(layer)
  })
  it('a browser that gets an answer is believed over a companion that does not trust the certificate', () => {
    expect(layerOf({ post: failed, get: failed, knock: hidden, companion: { outcome: 'tls', reason: 'x' } })).toBe(
      'cors-headers',
    )
  })
  it('offline is said before anything else, but not of this machine', () => {
    expect(judge(evidence({ ...silent, isOnline: false })).sentence).toBe('This device is offline.')
    expect(layerOf({ ...silent, isOnline: false, url: 'http://localhost:1/' })).toBe('unreachable')
    expect(judge(evidence({ ...silent, isOnline: false, url: 'http://localhost:1/' })).sentence).toContain('Nobody')
  })
  it('where the companion gets through and the browser does not, the browser stands in the way', () => {
    expect(typesOf({ ...silent, companion: seen(open, open) })).toEqual(['relay'])
  })
})

describe('the local network', () => {
  const near = { ...silent, url: 'http://localhost:8080/mcp' }
  const localNetwork = { name: 'loopback-network', state: 'prompt' } as const
  it('a page of the internet that was not allowed is told what to allow', () => {
    const change = { ...near, appOrigin: 'https://app.example', localNetwork, hasCompanion: false }
    expect(layerOf(change)).toBe('local-network')
    expect(judge(evidence(change)).fixes).toEqual([{ type: 'permission', name: 'loopback-network' }])
  })
  it('an app of this machine needs no leave: a closed port is a closed port', () => {
    expect(layerOf({ ...near, localNetwork, companion: { outcome: 'refused', reason: '' } })).toBe('unreachable')
    expect(layerOf({ ...near, localNetwork, hasCompanion: false })).toBe('unreachable')
  })
  it('a leave that was given is not asked for again', () => {
    const granted = { ...localNetwork, state: 'granted' } as const
    expect(layerOf({ ...near, appOrigin: 'https://app.example', localNetwork: granted, hasCompanion: false })).toBe(
      'unreachable',
    )
  })
})

describe('the browser hides the answer', () => {
  it('no CORS at all, a refused preflight and a missing header are three things', () => {
    expect(layerOf({ post: failed, get: failed, knock: hidden })).toBe('cors-headers')
    expect(layerOf({ post: failed, get: answered({ status: 405 }), knock: hidden })).toBe('cors-preflight')
    const sight = seen({ ...open, 'access-control-allow-headers': 'content-type' })
    const { layer, sentence } = judge(evidence({ post: failed, get: failed, knock: hidden, companion: sight }))
    expect(layer).toBe('cors-preflight')
    expect(sentence).toContain('mcp-protocol-version, mcp-session-id')
  })
  it('a star stands for every header but authorization', () => {
    const sight = seen({ ...open, 'access-control-allow-headers': '*' }, open)
    const told = judge(
      evidence({ post: failed, get: answered(), knock: hidden, companion: sight, ownHeaders: ['authorization'] }),
    )
    expect(told.sentence).toContain('send the header authorization')
  })
  it('the headers that are offered allow this origin, these headers, and show the session', () => {
    const [fix] = judge(evidence({ post: failed, get: failed, knock: hidden, ownHeaders: ['x-team'] })).fixes
    expect(fix).toMatchObject({ type: 'headers' })
    const text = fix?.type === 'headers' ? fix.text : ''
    expect(text).toContain('Access-Control-Allow-Origin: http://localhost:4114\n')
    expect(text).toMatch(/Allow-Headers: .*x-team.*mcp-session-id.*mcp-method/)
    expect(text).toMatch(/Expose-Headers: .*mcp-session-id/)
  })
  it('the relay is offered only where it can be turned on', () => {
    const shut = { post: failed, get: failed, knock: hidden }
    expect(typesOf(shut)).toEqual(['headers', 'relay'])
    expect(typesOf({ ...shut, hasCompanion: false })).toEqual(['headers', 'companion'])
    expect(typesOf({ ...shut, url: 'http://localhost:8080/' })).toEqual(['headers'])
    expect(typesOf({ ...shut, url: 'https://192.168.1.7/mcp' })).toEqual(['headers'])
  })
  it('an error of the server that only the companion sees is called one', () => {
    expect(layerOf({ post: failed, get: failed, knock: hidden, companion: seen({}, {}, 503) })).toBe('server-error')
  })
})

describe('the server answers', () => {
  it('a session that is kept from the page', () => {
    expect(layerOf({ post: answered(), second: answered({ status: 400 }) })).toBe('cors-headers')
    expect(layerOf({ post: answered(), second: answered() })).not.toBe('cors-headers')
  })
  it('the headers of the newest revision count only where no other is spoken', () => {
    expect(layerOf({ post: answered({ body: 'mcp-error' }), statelessHeaders: failed })).toBe('cors-headers')
    expect(layerOf({ post: answered({ sessionId: '1' }), statelessHeaders: failed })).not.toBe('cors-headers')
  })
  it('a header with a key that may not be sent is named', () => {
    const { layer, sentence } = judge(
      evidence({ post: answered({ status: 401 }), ownHeaders: ['x-api-key'], identityHeaders: failed }),
    )
    expect(layer).toBe('cors-headers')
    expect(sentence).toContain('x-api-key')
  })
  it.each([
    [{ status: 500 }, 'server-error'],
    [{ status: 429 }, 'server-error'],
    [{ status: 404, body: 'html' }, 'protocol'],
    [{ status: 200, body: 'html' }, 'protocol'],
    [{ status: 200, body: 'json' }, 'protocol'],
    [{ status: 403 }, 'authorization'],
    [{ status: 401 }, 'authorization'],
  ] as const)('%o is the layer %s', (change, layer) => {
    expect(layerOf({ post: answered(change) })).toBe(layer)
  })
  it('the place where MCP is spoken is offered', () => {
    const elsewhere = 'https://weather.example/sse'
    expect(judge(evidence({ post: answered({ status: 404, body: 'other' }), elsewhere })).fixes).toEqual([
      { type: 'address', url: elsewhere },
    ])
  })
  it('a refused token is not taken for a missing sign-in', () => {
    const told = judge(
      evidence({
        post: answered({ status: 401 }),
        identityHeaders: answered({ status: 401 }),
        ownHeaders: ['authorization'],
        authentication: 'bearer',
        failure: { code: 'sign-in-needed', message: 'No.' },
      }),
    )
    expect(told.sentence).toContain('the token is wrong')
    expect(told.fixes).toEqual([{ type: 'authentication', to: 'bearer' }])
  })
  it('one who was let in with a key, and failed later, has no trouble with the sign-in', () => {
    const change = {
      post: answered({ status: 401 }),
      identityHeaders: answered({ status: 401 }),
      ownHeaders: ['authorization'],
      failure: { code: 'protocol', message: 'Weather: tools/list was answered with nonsense.' },
    } as const
    expect(layerOf(change)).toBe('protocol')
  })
  it.each([
    [
      { resource: 'read', issuer: { host: 'idp.example', document: 'hidden' } },
      /does not let pages read how/,
      'headers',
    ],
    [
      { resource: 'read', issuer: { host: 'idp.example', document: 'unreachable' } },
      /nobody answers there/,
      'authentication',
    ],
    [{ resource: 'read', issuer: { host: 'idp.example', document: 'forbidden' } }, /not https/, 'authentication'],
    [
      { resource: 'read', issuer: { host: 'idp.example', document: 'read' } },
      /which idp.example gives/,
      'authentication',
    ],
    [{ resource: 'hidden' }, /does not let pages read where/, 'headers'],
    [{ resource: 'missing' }, /does not say where to sign in/, 'authentication'],
  ] as const)('a way to the sign-in that ends at %o is told so', (signIn, words, fix) => {
    const told = judge(evidence({ post: answered({ status: 401 }), signIn }))
    expect(told.layer).toBe('authorization')
    expect(told.sentence).toMatch(words)
    expect(told.fixes[0]?.type).toBe(fix)
  })
})

it('offers a user name and a password where the server asks for Basic', () => {
  const told = judge(evidence({ post: answered({ status: 401, challenge: 'Basic realm="staff"' }) }))
  expect(told).toMatchObject({ layer: 'authorization', fixes: [{ type: 'authentication', to: 'basic' }] })
  expect(told.sentence).toContain('a user name and a password')
})

describe('time and redirects', () => {
  it('silence, and a server that answers everything but messages', () => {
    expect(layerOf({ post: late, get: late, knock: late })).toBe('time-out')
    expect(judge(evidence({ post: late, get: answered(), knock: hidden })).sentence).toContain('is there')
  })
  it('a slow preflight of a dead server does not hide that nobody is there', () => {
    expect(layerOf({ post: late, get: failed, knock: failed })).toBe('unreachable')
  })
  it('an address is offered only where it may be used', () => {
    const to = (location: string) =>
      judge(evidence({ post: failed, get: failed, knock: hidden, companion: seen({}, { location }, 301) }))
    expect(to('/elsewhere').fixes).toEqual([{ type: 'address', url: 'https://weather.example/elsewhere' }])
    expect(to('http://evil.example/').fixes).toEqual([{ type: 'wait' }])
    expect(to('javascript:alert(1)').fixes).toEqual([{ type: 'wait' }])
    expect(to('https://new.example/mcp').layer).toBe('redirect')
  })
})

describe('through the relay', () => {
  const relayed = { isRelayed: true }
  it('a companion that does not answer is the trouble', () => {
    expect(layerOf({ ...relayed, post: failed })).toBe('companion')
  })
  it('what the companion sees is the trouble, and CORS is none', () => {
    expect(layerOf({ ...relayed, post: answered({ status: 502 }), companion: { outcome: 'tls', reason: '' } })).toBe(
      'tls',
    )
    expect(layerOf({ ...relayed, post: answered({ status: 404, body: 'json' }), companion: seen({}) })).toBe('protocol')
  })
})

it('what was seen is told line by line, and holds what the server said as it is', () => {
  const { evidence: lines } = judge(evidence({ post: answered({ status: 401, challenge: 'Bearer' }), knock: hidden }))
  expect(lines).toContain('POST initialize: HTTP 401, application/json, www-authenticate: Bearer')
  expect(lines).toContain('Knocking, without looking at the answer: somebody answered')
})
