import dns from 'node:dns'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { auth, memoryStorage, InMemoryOAuthProvider, oauthErrorOf } from '@switchboard/mcp/oauth'
import { expect, it, onTestFinished, vi } from 'vitest'
import { guardedFetch } from '../../src/oauth/guarded-fetch.ts'

const PUBLIC = '93.184.216.34'

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const serve = (answer: (req: IncomingMessage, res: ServerResponse) => void) => listen(createServer(answer))

/** Names that resolve to these addresses, the n-th time to the n-th; every look-up is noted. */
function resolving(names: Record<string, string[]>) {
  const asked: string[] = []
  const lookup = async (host: string) => {
    const addresses = names[host]
    const address = addresses?.[Math.min(asked.filter((one) => one === host).length, addresses.length - 1)]
    asked.push(host)
    if (!address) throw new Error(`ENOTFOUND ${host}`)
    return [{ address, family: address.includes(':') ? 6 : 4 }]
  }
  return { lookup, asked }
}

it('[O22] [A1.6] a public server cannot name an authorization server that resolves to a private address', async () => {
  let connections = 0
  const port = await listen(createSocketServer((socket) => void (connections++, socket.destroy())))
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.0.0.7', '169.254.169.254', 'fd00::1']) {
    const { lookup } = resolving({ 'mcp.example': [PUBLIC], 'as.example': [address] })
    const spies = [
      vi.spyOn(dns.promises, 'lookup').mockImplementation(lookup as never),
      vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
        const { origin } = new URL(String(url))
        if (origin !== 'https://mcp.example') throw new TypeError(`fetch of ${origin}, unguarded`)
        return Response.json({ resource: `${origin}/mcp`, authorization_servers: [`https://as.example:${port}`] })
      }),
    ]
    const provider = new InMemoryOAuthProvider({
      serverUrl: 'https://mcp.example/mcp',
      redirectUrl: 'http://127.0.0.1:8765/callback',
      storage: memoryStorage(),
      signIn: () => {},
    })
    const failure = await auth(provider, { serverUrl: 'https://mcp.example/mcp' }).catch((error: unknown) => error)
    for (const spy of spies) spy.mockRestore()
    expect(oauthErrorOf(failure)?.message).toBe(
      `as.example:${port} is in a private network and mcp.example is not: nothing is requested there`,
    )
    expect(oauthErrorOf(failure)?.fault).toBe('unsafe-address')
  }
  expect(connections).toBe(0)
})

it('[O22] one private address among public ones is refused', async () => {
  const lookup = async (host: string) =>
    (host === 'mcp.example' ? [PUBLIC] : [PUBLIC, '192.168.0.9']).map((address) => ({ address, family: 4 }))
  const fetching = guardedFetch(new URL('https://mcp.example'), 'https://as.example/x', {}, lookup)
  await expect(fetching).rejects.toMatchObject({ fault: 'unsafe-address' })
})

it('[O22] a private address added to the name of a public server opens nothing', async () => {
  const lookup = async (host: string) =>
    (host === 'mcp.example' ? [PUBLIC, '127.0.0.1'] : ['127.0.0.1']).map((address) => ({ address, family: 4 }))
  const fetching = guardedFetch(new URL('https://mcp.example'), 'https://as.example/x', {}, lookup)
  await expect(fetching).rejects.toMatchObject({ fault: 'unsafe-address' })
})

it('[O22] the connection goes to the address that was checked, though the name changes', async () => {
  const hosts: unknown[] = []
  const port = await serve((req, res) => {
    hosts.push(req.headers.host)
    res.end('{}')
  })
  const { lookup, asked } = resolving({ 'as.example': ['127.0.0.1', PUBLIC], 'intranet.example': ['10.0.0.5'] })
  const response = await guardedFetch(
    new URL('https://intranet.example/mcp'),
    `http://as.example:${port}/token`,
    {},
    lookup,
  )
  expect([response.status, await response.text()]).toEqual([200, '{}'])
  expect(hosts).toEqual([`as.example:${port}`])
  expect(asked.filter((host) => host === 'as.example')).toHaveLength(1)
})

it('[O22] a guarded request sends and receives what fetch would', async () => {
  const port = await serve((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const { method, headers } = req
      const seen = { method, type: headers['content-type'], body: Buffer.concat(chunks).toString() }
      if (req.url === '/gone') return void res.writeHead(204).end()
      if (req.url === '/moved') return void res.writeHead(302, { location: '/elsewhere' }).end()
      res.writeHead(200, { 'content-encoding': 'gzip', 'x-nonce': 'one' }).end(gzipSync(JSON.stringify(seen)))
    })
  })
  const local = new URL('http://127.0.0.1/mcp')
  const ask = (path: string, init: RequestInit) => guardedFetch(local, `http://localhost:${port}${path}`, init)
  const answer = await ask('/token', { method: 'POST', body: new URLSearchParams({ a: 'ü' }) })
  expect(answer.headers.get('x-nonce')).toBe('one')
  expect(await answer.json()).toEqual({
    method: 'POST',
    type: 'application/x-www-form-urlencoded;charset=UTF-8',
    body: 'a=%C3%BC',
  })
  expect((await ask('/gone', {})).status).toBe(204)
  expect((await ask('/moved', { redirect: 'manual' })).status).toBe(302)
  const stopped = new AbortController()
  stopped.abort(new Error('stopped'))
  await expect(ask('/token', { signal: stopped.signal })).rejects.toThrow()
})

it.each(['101 Switching', '101 Switching\r\nupgrade: x\r\nconnection: upgrade', '600 Odd', '999 Denied'])(
  '[O22] rejects a response that fetch cannot represent: %j',
  async (status) => {
    const open = new Set<Socket>()
    const port = await listen(
      createSocketServer((socket) => {
        open.add(socket)
        socket.on('error', () => {})
        // The connection stays open: the client has to close it.
        socket.on('close', () => void open.delete(socket))
        socket.once('data', () => void socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\n{}`))
      }),
    )
    const local = new URL('http://127.0.0.1/mcp')
    await expect(guardedFetch(local, `http://127.0.0.1:${port}/`, {})).rejects.toThrow()
    await vi.waitFor(() => expect(open.size).toBe(0))
  },
)
