import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { selfSignedCertificate } from '@switchboard/testkit/fault-certificate'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask, type Running, start } from './scenario.ts'

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    if ('closeAllConnections' in server) (server as ReturnType<typeof createServer>).closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A server on a real port that keeps what it was asked. */
async function upstream(answer: RequestListener) {
  const requests: { method: string; headers: Record<string, unknown>; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requests.push({ method: request.method ?? '', headers: request.headers, body })
      answer(request, response)
    })
  })
  return { port: await listening(server), requests }
}

const look = async (companion: Running, url: unknown, headers?: unknown) => {
  const response = await ask(companion, '/api/probe', {
    method: 'POST',
    body: JSON.stringify({ url, ...(headers !== undefined && { headers }) }),
  })
  return { status: response.status, sight: (await response.json()) as Record<string, any> }
}

describe('[A7] what a program sees, for the doctor', () => {
  it('an answer is told by its status and CORS headers, and by nothing else of it', async () => {
    const { port, requests } = await upstream((request, response) =>
      response
        .writeHead(request.method === 'OPTIONS' ? 204 : 401, {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'mcp-session-id',
          'set-cookie': 'secret=1',
          'x-secret': 'hidden',
          'www-authenticate': 'Bearer',
        })
        .end('secret body'),
    )
    const companion = await start()
    const { sight } = await look(companion, `http://127.0.0.1:${port}/mcp`, ['content-type', 'authorization'])
    expect(sight['outcome']).toBe('answered')
    expect(sight['preflight'].status).toBe(204)
    expect(sight['answer']).toEqual({
      status: 401,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'mcp-session-id',
        'www-authenticate': 'Bearer',
      },
    })
    expect(JSON.stringify(sight)).not.toContain('secret')
    expect(requests.map(({ method }) => method)).toEqual(['OPTIONS', 'GET'])
    expect(requests[0]?.headers['access-control-request-headers']).toBe('content-type,authorization')
    expect(requests[0]?.headers['origin']).toBe(companion.origin)
    for (const { headers, body } of requests) {
      expect(JSON.stringify(headers)).not.toContain(companion.token)
      expect(headers['authorization']).toBeUndefined()
      expect(body).toBe('')
    }
  })

  it('a redirect is told and not followed', async () => {
    const elsewhere = await upstream((_, response) => response.end())
    const { port } = await upstream((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
    )
    const { sight } = await look(await start(), `http://127.0.0.1:${port}/`)
    expect(sight['answer']).toEqual({ status: 307, headers: { location: `http://127.0.0.1:${elsewhere.port}/` } })
    expect(elsewhere.requests).toEqual([])
  })

  it('an unknown name, a closed port, a bad certificate, a broken answer and silence are told apart', async () => {
    const companion = await start({}, { resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    expect((await look(companion, 'https://nowhere.invalid/mcp')).sight['outcome']).toBe('dns')

    const gone = createTcpServer()
    const port = await listening(gone)
    await new Promise((resolve) => gone.close(resolve))
    expect((await look(companion, `http://127.0.0.1:${port}/`)).sight['outcome']).toBe('refused')

    const secure = await listening(createSecureServer(selfSignedCertificate(), (_, response) => response.end()))
    const { sight } = await look(companion, `https://127.0.0.1:${secure}/`)
    expect(sight['outcome']).toBe('tls')
    expect(sight['reason']).toContain('self-signed')

    const broken = await listening(createTcpServer((socket) => socket.end('SSH-2.0-x\r\n')))
    expect((await look(companion, `http://127.0.0.1:${broken}/`)).sight['outcome']).toBe('broken')

    const mute = await listening(createTcpServer((socket) => void socket.on('error', () => {})))
    expect((await look(companion, `http://127.0.0.1:${mute}/`)).sight['outcome']).toBe('late')
  })

  it('a name that leads into this machine or its network is not knocked at, and so is said', async () => {
    const inside = await upstream((_, response) => response.end())
    const companion = await start({}, { resolve: () => Promise.resolve(['127.0.0.1']) })
    const { sight } = await look(companion, `https://rebind.test:${inside.port}/`)
    expect(sight['outcome']).toBe('private')
    expect(inside.requests).toEqual([])
  })

  it('addresses of other machines in the network, odd schemes, users and low ports are refused', async () => {
    const companion = await start()
    const refused = [
      'http://192.168.1.1/',
      'https://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
      'https://[fd00::1]/',
      'http://example.com/',
      'https://printer.local/',
      'https://example.com:22/',
      'file:///etc/passwd',
      'https://user:secret@example.com/',
      'no address',
      'http://0x7f000001.example/',
      7,
    ]
    for (const url of refused) expect([url, (await look(companion, url)).status >= 400]).toEqual([url, true])
    for (const headers of ['content-type', [7], ['a b'], ['a\r\nb: c'], Array.from({ length: 31 }, () => 'x')])
      expect((await look(companion, 'https://example.com/', headers)).status).toBe(400)
  })

  it('without the token of this run nobody is looked at', async () => {
    const { port, requests } = await upstream((_, response) => response.end())
    const companion = await start()
    const response = await fetch(`${companion.origin}/api/probe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/` }),
    })
    expect(response.status).toBe(401)
    expect(requests).toEqual([])
  })

  it('no more than four are looked at at once', async () => {
    let waiting: (() => void)[] = []
    const { port } = await upstream((_, response) => void waiting.push(() => response.end()))
    const companion = await start()
    const first = Array.from({ length: 4 }, () => look(companion, `http://127.0.0.1:${port}/`))
    await expect.poll(() => waiting.length).toBe(4)
    expect((await look(companion, `http://127.0.0.1:${port}/`)).status).toBe(429)
    const release = setInterval(() => {
      for (const answer of waiting) answer()
      waiting = []
    }, 10)
    for (const { status } of await Promise.all(first)) expect(status).toBe(200)
    clearInterval(release)
  })
})
