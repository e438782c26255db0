import { auth, memoryStorage, type OAuthStorage, type OAuthTokens } from '@switchboard/mcp/oauth'
import { describe, expect, it } from 'vitest'
import { connect, person, refusalOf, skipTime, world, type World } from './scenario.ts'

const call = (mark = 'once') => ({ name: 'echo', arguments: { mark } })
const grants = ({ as }: World) => as.tokenRequests.map((form) => form.get('grant_type'))
const SIGNED_IN_ONCE = ['authorization_code']
const REFRESHED_ONCE = ['authorization_code', 'refresh_token']

/** A storage that lets other programs run before it answers, as real ones do. */
function slowStorage(): OAuthStorage & { log: string[] } {
  const { get, set, delete: remove } = memoryStorage()
  const log: string[] = []
  const breath = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    log,
    get: async (key) => {
      await breath()
      return get(key)
    },
    set: async (key, value) => {
      await breath()
      log.push(`set ${key.split(' ')[0]}`)
      return set(key, value)
    },
    delete: async (key) => {
      await breath()
      log.push(`delete ${key.split(' ')[0]}`)
      return remove(key)
    },
  }
}

describe('[R-14] a token that is refused', () => {
  it('[R-14] on a call is refreshed once, and the call is sent once more', async () => {
    const place = await world()
    const client = await connect(place, person(place))
    place.as.expireTokens()
    expect(await client.callTool(call())).toMatchObject({ content: [{ text: 'once' }] })
    expect(grants(place)).toEqual(REFRESHED_ONCE)
    expect(place.mcp.ledger.executions).toHaveLength(1)
    expect(place.mcp.ledger.count('tools/call')).toBe(2)
  })

  it('[R-14] on twenty calls at once is refreshed once', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    place.as.expireTokens()
    await Promise.all(Array.from({ length: 20 }, (_, nth) => client.callTool(call(`m${nth}`))))
    expect(grants(place)).toEqual(REFRESHED_ONCE)
    expect(place.mcp.ledger.executions).toHaveLength(20)
    expect(place.mcp.ledger.mostExecutionsOfOneCall()).toBe(1)
    expect(provider.opened).toHaveLength(1)
  })

  it('[R-14] again after the refresh is an error, not a loop', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    place.protection.onRequest = (exchange) =>
      exchange.json({}, 401, { 'www-authenticate': 'Bearer error="invalid_token"' })
    await expect(client.callTool(call())).rejects.toMatchObject({ reason: 'unauthorized', statusCode: 401 })
    expect(place.mcp.ledger.count('tools/call')).toBe(2)
    expect(place.as.tokenRequests.length).toBeLessThanOrEqual(2)
    expect(provider.opened).toHaveLength(1)
    expect(place.mcp.ledger.executions).toEqual([])
  })

  it('[R-14] on the stream of a session is refreshed once, and the stream opens', async () => {
    const place = await world({}, { era: 'sessions', getStream: true })
    const refused = { count: 0 }
    place.protection.onRequest = (exchange) => {
      if (exchange.httpMethod !== 'GET' || refused.count++ > 0) return
      exchange.json({}, 401, { 'www-authenticate': 'Bearer error="invalid_token"' })
    }
    const provider = person(place)
    await connect(place, provider, {}, { onNotification: () => {} })
    await place.mcp.ledger.until(() => place.mcp.listeners.size === 1, 'an open stream')
    expect(grants(place)).toEqual(REFRESHED_ONCE)
    expect(provider.opened).toHaveLength(1)
  })

  it('[R-14] while a newer one is stored is no reason to refresh', async () => {
    const storage = slowStorage()
    const place = await world()
    const first = await connect(place, person(place, { storage }))
    const second = await connect(place, person(place, { storage }))
    expect(grants(place)).toEqual(SIGNED_IN_ONCE)
    place.as.expireTokens()
    await first.callTool(call('a'))
    await second.callTool(call('b'))
    expect(grants(place)).toEqual(REFRESHED_ONCE)
  })

  it('[R-14] and whose refresh token is refused brings one sign-in, and the call goes on', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    place.as.revokeAll()
    expect(await client.callTool(call())).toMatchObject({ content: [{ text: 'once' }] })
    expect(grants(place)).toEqual(['authorization_code', 'refresh_token', 'authorization_code'])
    expect(provider.opened).toHaveLength(2)
    expect(place.mcp.ledger.executions).toHaveLength(1)
  })

  it('[R-14] where people sign in on another page is told as such, again and again, with one page each time', async () => {
    const place = await world()
    const provider = person(place, { signIn: () => {} })
    await refusalOf(connect(place, provider), 'sign-in-needed')
    expect(provider.opened).toHaveLength(1)
    await refusalOf(connect(place, provider), 'sign-in-needed')
    expect(provider.opened).toHaveLength(2)
    expect(place.as.tokenRequests).toEqual([])
  })

  it('[R-14] people who said no are not asked again by themselves', async () => {
    const place = await world()
    place.as.onCallback = (answer) => {
      answer.delete('code')
      answer.set('error', 'access_denied')
    }
    const provider = person(place)
    await refusalOf(connect(place, provider), 'denied')
    expect(provider.opened).toHaveLength(1)
    expect(place.as.tokenRequests).toEqual([])
  })
})

describe('[R-30] one refresh token for many', () => {
  it('[O9] [R-30] [A1.17] five clients, one storage, forty endings: one request each, no token used twice', async () => {
    const time = skipTime()
    const storage = slowStorage()
    const place = await world()
    const provider = () => person(place, { storage })
    const clients = [await connect(place, provider())]
    while (clients.length < 5) clients.push(await connect(place, provider()))
    for (let ending = 1; ending <= 40; ending++) {
      // Some are renewed ahead of time, some because the server refuses them, some for both reasons at once.
      if (ending % 3 !== 0) time.by(3_590_000)
      if (ending % 3 !== 1) place.as.expireTokens()
      await Promise.all(clients.map((client, nth) => client.callTool(call(`${ending}/${nth}`))))
      expect(place.as.tokenRequests).toHaveLength(1 + ending)
    }
    expect(place.as.reuses).toBe(0)
    expect(place.mcp.ledger.executions).toHaveLength(200)
    expect(place.as.to('/authorize')).toHaveLength(1)
  })

  it('[O9] [R-30] [A1.17] is stored before it is used, and never deleted on the way', async () => {
    const storage = slowStorage()
    const place = await world()
    const client = await connect(place, person(place, { storage }))
    storage.log.length = 0
    place.as.expireTokens()
    const before = place.mcp.ledger.entries.length
    let stored = false
    place.protection.onRequest = () => {
      stored = storage.log.includes('set tokens')
    }
    await client.callTool(call())
    expect(stored).toBe(true)
    expect(place.mcp.ledger.entries.length).toBeGreaterThan(before)
    expect(storage.log).toEqual(['set tokens'])
  })

  it('[R-30] [A1.17] refused because another program used it meanwhile: the newer one is taken', async () => {
    const storage = memoryStorage()
    const place = await world()
    const provider = person(place, { storage })
    const client = await connect(place, provider)
    const key = `tokens ${place.mcp.url}`
    place.as.expireTokens()
    // The other program refreshes without our lock and stores its tokens while ours are refused.
    let nth = 0
    place.as.faults.set('/token', (_, usual) => {
      if (++nth > 1) return usual()
      const body = usual().body as OAuthTokens
      const old = JSON.parse(String(storage.get(key))) as OAuthTokens
      void storage.set(key, JSON.stringify({ ...old, ...body }))
      return { status: 400, body: { error: 'invalid_grant' } }
    })
    expect(await client.callTool(call())).toMatchObject({ content: [{ text: 'once' }] })
    expect(grants(place)).toEqual(REFRESHED_ONCE)
    expect(provider.opened).toHaveLength(1)
  })
})

describe('[R-31] an answer that is lost after the token was changed', () => {
  it('[R-31] is asked for once more; then people sign in, and nothing goes round in circles', async () => {
    const storage = slowStorage()
    const place = await world()
    const provider = person(place, { storage })
    const client = await connect(place, provider)
    const old = await provider.tokens()
    storage.log.length = 0
    let nth = 0
    const seen: unknown[] = []
    place.as.faults.set('/token', async (_, usual) => {
      // What the storage holds while a refresh is under way: the old tokens, whole.
      seen.push(await provider.tokens())
      const answer = usual()
      return ++nth === 1 ? 'drop' : answer
    })
    place.as.expireTokens()
    expect(await client.callTool(call())).toMatchObject({ content: [{ text: 'once' }] })
    expect(grants(place)).toEqual(['authorization_code', 'refresh_token', 'refresh_token', 'authorization_code'])
    expect(provider.opened).toHaveLength(2)
    expect(seen.slice(0, 2)).toEqual([old, old])
    expect(place.mcp.ledger.executions).toHaveLength(1)
  })

  it('[R-31] and was not heard is simply asked again', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    let nth = 0
    place.as.faults.set('/token', (_, usual) => (++nth === 1 ? 'drop' : usual()))
    place.as.expireTokens()
    await client.callTool(call())
    expect(grants(place)).toEqual(['authorization_code', 'refresh_token', 'refresh_token'])
    expect(provider.opened).toHaveLength(1)
    expect(place.as.reuses).toBe(0)
  })

  it('[R-31] for ever is an error of the network that keeps the tokens', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    const old = await provider.tokens()
    place.as.faults.set('/token', () => 'drop')
    place.as.expireTokens()
    const error = await refusalOf(client.callTool(call()), 'network')
    expect(error.message).toContain(place.as.host)
    expect(place.as.tokenRequests).toHaveLength(3)
    expect(await provider.tokens()).toEqual(old)
    expect(provider.opened).toHaveLength(1)
    place.as.faults.clear()
    await client.callTool(call())
    expect(provider.opened).toHaveLength(1)
  })

  it('[R-31] with nobody there to sign in ends in sign-in-needed, not in a loop', async () => {
    const place = await world()
    let here = true
    const provider = person(place, { signIn: (url) => (here ? place.as.signIn(url) : undefined) })
    const client = await connect(place, provider)
    here = false
    place.as.faults.set('/token', (_, usual) => {
      usual()
      return 'drop'
    })
    place.as.expireTokens()
    await refusalOf(client.callTool(call()), 'network')
    place.as.faults.clear()
    await refusalOf(client.callTool(call()), 'sign-in-needed')
    expect(provider.opened).toHaveLength(2)
    expect(place.as.tokenRequests.length).toBeLessThanOrEqual(4)
  })

  it.each([
    [500, 'Too busy'],
    [502, '<html></html>'],
    [503, { error: 'temporarily_unavailable' }],
    [500, { error: 'server_error' }],
    [429, { error: 'slow_down' }],
    [429, 'Too busy'],
  ])('[R-31] a refresh that fails with %i %j keeps the tokens and sends nobody to sign in', async (status, body) => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    const old = await provider.tokens()
    place.as.faults.set('/token', () => ({ status, body }))
    place.as.expireTokens()
    await refusalOf(client.callTool(call()), 'network')
    expect(await provider.tokens()).toEqual(old)
    expect(provider.opened).toHaveLength(1)
    expect(place.as.tokenRequests.length).toBeLessThanOrEqual(4)
    place.as.faults.clear()
    await client.callTool(call())
    expect(provider.opened).toHaveLength(1)
  })

  it('[R-31] a code is never sent twice: a lost answer means to begin anew', async () => {
    const place = await world()
    const provider = person(place)
    place.as.faults.set('/token', (_, usual) => {
      usual()
      return 'drop'
    })
    await refusalOf(connect(place, provider), 'network')
    expect(place.as.tokenRequests).toHaveLength(1)
    place.as.faults.clear()
    await connect(place, provider)
    expect(provider.opened).toHaveLength(2)
  })

  it('[R-31] a new token that brings no new refresh token keeps the old one', async () => {
    const place = await world()
    const provider = person(place)
    const client = await connect(place, provider)
    const old = await provider.tokens()
    place.as.faults.set('/token', (_, usual) => {
      const { refresh_token: _new, ...body } = usual().body as OAuthTokens
      return { body }
    })
    place.as.expireTokens()
    await client.callTool(call())
    const fresh = await provider.tokens()
    expect(fresh?.refresh_token).toBe(old?.refresh_token)
    expect(fresh?.access_token).not.toBe(old?.access_token)
    expect(fresh).toMatchObject({ issuer: place.as.issuer, resource: place.mcp.url })
  })
})

describe('[R-32] a storage that fails', () => {
  /** Works until told otherwise: then each call of `method` on tokens throws. */
  function fragileStorage(method: 'get' | 'set' | 'delete') {
    const inner = memoryStorage()
    const state = { broken: false }
    const check = (name: string, key: string) => {
      if (state.broken && name === method && key.startsWith('tokens')) throw new Error('The disk is full')
    }
    const storage: OAuthStorage = {
      get: (key) => {
        check('get', key)
        return inner.get(key)
      },
      set: (key, value) => {
        check('set', key)
        return inner.set(key, value)
      },
      delete: (key) => {
        check('delete', key)
        return inner.delete(key)
      },
    }
    return { storage, state }
  }

  it.each(['get', 'set', 'delete'] as const)(
    '[R-32] at %s brings an error now, and at worst a sign-in later',
    async (method) => {
      const { storage, state } = fragileStorage(method)
      const place = await world()
      const provider = person(place, { storage })
      const client = await connect(place, provider)
      state.broken = true
      place.as.expireTokens()
      const outcome = await client.callTool(call('first')).then(
        () => 'done',
        (error: Error) => error,
      )
      // Deleting is not needed to go on.
      if (method === 'delete') expect(outcome).toBe('done')
      else expect(outcome).toMatchObject({ reason: 'unauthorized' })
      const tried = place.as.tokenRequests.length
      expect(tried).toBeLessThanOrEqual(3)
      state.broken = false
      expect(await client.callTool(call('second'))).toMatchObject({ content: [{ text: 'second' }] })
      expect(provider.opened.length).toBeLessThanOrEqual(2)
      expect(place.as.tokenRequests.length).toBeLessThanOrEqual(tried + 2)
    },
  )

  it('[R-32] between the answer and the storing, the program dies: the next one signs in, once', async () => {
    const storage = memoryStorage()
    const place = await world()
    const dying = person(place, { storage })
    await connect(place, dying)
    place.as.expireTokens()
    let die = () => {}
    const reached = new Promise<void>((resolve) => (die = resolve))
    let lastWords: (error: Error) => void = () => {}
    const dead: OAuthStorage = {
      ...storage,
      // The program ends here: nothing that comes after happens.
      set: () => {
        die()
        return new Promise<void>((_, reject) => (lastWords = reject))
      },
    }
    const lost = connect(place, person(place, { storage: dead })).catch((error: Error) => error)
    await reached
    // Within one program the lock of the dead is still held; a dead program lets go of it.
    lastWords(new Error('gone'))
    expect(await lost).toMatchObject({ reason: 'unauthorized' })
    const next = person(place, { storage })
    const client = await connect(place, next)
    await client.callTool(call())
    expect(next.opened).toHaveLength(1)
    expect(grants(place)).toEqual(['authorization_code', 'refresh_token', 'refresh_token', 'authorization_code'])
  })

  it('[R-32] by never answering ends the call with its time, and the client can be closed', async () => {
    const inner = memoryStorage()
    let silent = false
    const place = await world()
    const storage: OAuthStorage = { ...inner, get: (key) => (silent ? new Promise(() => {}) : inner.get(key)) }
    const client = await connect(place, person(place, { storage }))
    silent = true
    await expect(client.callTool({ ...call(), options: { timeout: 200 } })).rejects.toMatchObject({ reason: 'timeout' })
    silent = false
    expect(await client.callTool(call())).toMatchObject({ content: [{ text: 'once' }] })
    await client.close()
    expect(place.mcp.ledger.executions).toHaveLength(1)
  })

  it('[R-32] with broken contents is as good as empty: people sign in', async () => {
    const place = await world()
    const opened: number[] = []
    const contents = ['', '{', 'null', '[]', '7', '"x"', '{"access_token":7}', '{"access_token":{}}', '{}']
    for (const broken of contents) {
      const storage = memoryStorage()
      await storage.set(`tokens ${place.mcp.url}`, broken)
      await storage.set(`client ${place.as.issuer} http://127.0.0.1:8765/callback`, broken)
      const provider = person(place, { storage })
      const client = await connect(place, provider)
      await client.callTool(call())
      opened.push(provider.opened.length)
    }
    expect(opened).toEqual(contents.map(() => 1))
  })

  it('[R-32] with a broken note of a flow means to begin anew', async () => {
    const place = await world()
    for (const broken of ['', '{', 'null', '[]', '{"verifier":1}', 'v'.repeat(43)]) {
      const provider = person(place)
      await provider.savePendingAuthorization(broken)
      const callback = new URLSearchParams({ code: 'x', state: 'x', iss: place.as.issuer })
      await refusalOf(auth(provider, { serverUrl: place.mcp.url, callback }), 'foreign-answer')
    }
    expect(place.as.tokenRequests).toEqual([])
  })
})
