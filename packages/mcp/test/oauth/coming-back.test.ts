import { auth, HttpTransport, type InteractiveProviderOptions } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { person, refusalOf, serveProtected, skipTime, type World, world } from './scenario.ts'

/** A person who comes back with a changed answer. */
async function comeBack(change: (answer: URLSearchParams) => void, options: Partial<InteractiveProviderOptions> = {}) {
  const place = await world()
  place.as.onCallback = change
  const provider = person(place, options)
  return { ...place, provider, result: auth(provider, { serverUrl: place.mcp.url }) }
}

/** Begins a flow and leaves it to the test to end it. */
async function begin(place: World) {
  let answer = new URLSearchParams()
  const provider = person(place, { signIn: async (url) => void (answer = await place.as.signIn(url)) })
  expect(await auth(provider, { serverUrl: place.mcp.url })).toBe('REDIRECT')
  return { provider, answer, end: (callback = answer) => auth(provider, { serverUrl: place.mcp.url, callback }) }
}

describe('[A1.8] an answer that belongs to nobody here', () => {
  const REFUSED: Record<string, (answer: URLSearchParams) => void> = {
    'without a state': (answer) => answer.delete('state'),
    'with an empty state': (answer) => answer.set('state', ''),
    'with another state': (answer) => answer.set('state', 'x'.repeat(43)),
    'with its state in capitals': (answer) => answer.set('state', `${answer.get('state')?.toUpperCase()}A`),
    'with its state twice': (answer) => answer.append('state', answer.get('state') ?? ''),
    'with another state behind its own': (answer) => answer.append('state', 'x'),
    'without a code': (answer) => answer.delete('code'),
    'with an empty code': (answer) => answer.set('code', ''),
    'with two codes': (answer) => answer.append('code', 'other'),
    'in a JWT': (answer) => answer.set('response', 'e30.e30.'),
    'with nothing in it': (answer) => {
      for (const name of ['code', 'state', 'iss']) answer.delete(name)
    },
  }
  it.each(Object.entries(REFUSED))('[A1.8] %s brings no token request', async (_, change) => {
    const { as, provider, result } = await comeBack(change)
    await refusalOf(result, 'foreign-answer')
    expect(as.tokenRequests).toEqual([])
    expect(await provider.tokens()).toBeUndefined()
  })

  it('[A1.8] tokens in an answer are not looked at', async () => {
    const { provider, result } = await comeBack((answer) => answer.set('access_token', 'smuggled'))
    await result.catch(() => {})
    expect(JSON.stringify(await provider.tokens())).not.toContain('smuggled')
  })

  it('[O13] [A1.8] a second time brings no token request', async () => {
    const place = await world()
    const { end } = await begin(place)
    expect(await end()).toBe('AUTHORIZED')
    await refusalOf(end(), 'foreign-answer')
    expect(place.as.tokenRequests).toHaveLength(1)
  })

  it('[A1.8] after a wrong one the right one comes too late as well: each flow has one answer', async () => {
    const place = await world()
    const { end } = await begin(place)
    await refusalOf(end(new URLSearchParams({ code: 'x', state: 'x' })), 'foreign-answer')
    await refusalOf(end(), 'foreign-answer')
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[A1.8] where nobody was sent brings no token request', async () => {
    const place = await world()
    const callback = new URLSearchParams({ code: 'x', state: 'x', iss: place.as.issuer })
    const ending = auth(person(place), { serverUrl: place.mcp.url, callback })
    await refusalOf(ending, 'foreign-answer')
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[A1.8] of another window brings no token request', async () => {
    const place = await world()
    const mine = await begin(place)
    const theirs = await begin(place)
    await refusalOf(mine.end(theirs.answer), 'foreign-answer')
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[A1.8] of the flow for another server brings no token request', async () => {
    const first = await world()
    const second = await serveProtected(first.as)
    const mine = await begin(first)
    const theirs = await begin(second)
    await refusalOf(mine.end(theirs.answer), 'foreign-answer')
    await refusalOf(auth(theirs.provider, { serverUrl: first.mcp.url, callback: theirs.answer }), 'foreign-answer')
    expect(first.as.tokenRequests).toEqual([])
  })

  it('[A1.8] of an earlier flow brings no token request once another was begun', async () => {
    const place = await world()
    const { provider, answer } = await begin(place)
    await auth(provider, { serverUrl: place.mcp.url })
    await refusalOf(auth(provider, { serverUrl: place.mcp.url, callback: answer }), 'foreign-answer')
    expect(place.as.tokenRequests).toEqual([])
  })

  it.each([
    [11, false],
    [9, true],
    [-11, false],
  ])('[O13] [A1.8] after %i minutes: taken %j', async (minutes, taken) => {
    const time = skipTime()
    const place = await world()
    const { end } = await begin(place)
    time.by(minutes * 60_000)
    if (taken) expect(await end()).toBe('AUTHORIZED')
    else await refusalOf(end(), 'timeout')
    expect(place.as.tokenRequests).toHaveLength(taken ? 1 : 0)
  })

  it('[A1.8] a code alone is not enough where a state was sent, in auth and in finishAuth', async () => {
    const place = await world()
    for (const way of ['auth', 'finishAuth']) {
      const { provider, answer } = await begin(place)
      const code = answer.get('code') ?? ''
      const transport = new HttpTransport({ url: place.mcp.url, authProvider: provider })
      const ending =
        way === 'auth'
          ? auth(provider, { serverUrl: place.mcp.url, authorizationCode: code, callbackIssuer: place.as.issuer })
          : transport.finishAuth(code, place.as.issuer)
      await refusalOf(ending, 'foreign-answer')
    }
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[A1.8] the state has 256 bits, and no two are alike', async () => {
    const place = await world()
    const provider = person(place, {
      signIn: () => {},
      clientInformation: { client_id: 'app', issuer: place.as.issuer },
    })
    for (let nth = 0; nth < 20; nth++) await auth(provider, { serverUrl: place.mcp.url })
    const states = provider.opened.map((url) => url.searchParams.get('state') ?? '')
    const challenges = provider.opened.map((url) => url.searchParams.get('code_challenge') ?? '')
    for (const state of states) expect(state).toMatch(/^[\w-]{43,}$/)
    expect(new Set(states).size).toBe(20)
    expect(new Set(challenges).size).toBe(20)
  })

  it('[O13] [A1.8] the client, the address to come back to and the resource are those of the beginning', async () => {
    const place = await world()
    const { provider, end } = await begin(place)
    place.protection.metadata = { resource: place.mcp.origin }
    await refusalOf(end(), 'foreign-answer')
    const again = await begin(place)
    place.as.faults.set('/register', (_, usual) => usual())
    await provider.invalidateCredentials('all', { issuer: place.as.issuer })
    await again.provider.invalidateCredentials('client', { issuer: place.as.issuer })
    await refusalOf(again.end(), 'foreign-answer')
    expect(place.as.tokenRequests).toEqual([])
  })
})

describe('[A1.9] an answer with an error', () => {
  const BAD = ['<img src=x onerror=alert(1)>', '</script><script>alert(1)</script>', '\u001b[31mred', '\u202eevil']
  it.each(BAD)('[A1.9] %j is shown nowhere', async (text) => {
    for (const error of ['access_denied', text]) {
      const { as, result } = await comeBack((answer) => {
        answer.delete('code')
        answer.set('error', error)
        answer.set('error_description', text)
        answer.set('error_uri', `https://evil.example/${text}`)
      })
      const refused = await refusalOf(result, 'denied')
      expect(refused.message).toContain(as.host)
      expect(JSON.stringify([refused.message, refused.oauthCode])).not.toContain(JSON.stringify(text).slice(1, -1))
      if (error === 'access_denied') expect(refused.oauthCode).toBe('access_denied')
      expect(as.tokenRequests).toEqual([])
    }
  })
})

describe('[A1.11] codes are protected', () => {
  const WITHOUT: unknown[] = [
    ['plain'],
    undefined,
    [],
    null,
    ['s256'],
    ['S256 '],
    ['plain', 'S512'],
    'S256',
    [['S256']],
    1,
  ]
  it.each(WITHOUT)('[O6] [A1.11] with code_challenge_methods_supported %j nobody is sent', async (methods) => {
    const place = await world()
    place.as.metadata = { code_challenge_methods_supported: methods }
    const provider = person(place)
    const error = await refusalOf(auth(provider, { serverUrl: place.mcp.url }), ['no-pkce', 'bad-document'])
    expect(error.message).toContain(place.as.host)
    expect(provider.opened).toEqual([])
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[O6] [A1.11] the challenge is a hash, and the verifier leaves only with the code', async () => {
    const place = await world()
    const provider = person(place)
    await auth(provider, { serverUrl: place.mcp.url })
    const [form] = place.as.tokenRequests
    const verifier = form?.get('code_verifier') ?? ''
    expect(verifier).toMatch(/^[\w~.-]{43,128}$/)
    expect(provider.opened.join(' ')).not.toContain(verifier)
    expect(provider.opened[0]?.searchParams.get('code_challenge_method')).toBe('S256')
    expect(provider.pendingAuthorization()).toBe('')
  })
})
