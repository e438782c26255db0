import { readFile, writeFile } from 'node:fs/promises'
import { connect as connectTcp, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import { ask, connect, eras, folder, node, program, type Running, start } from './scenario.ts'

/** A server whose tool writes a line for every time that it runs. */
async function counting() {
  const file = join(await folder(), 'runs')
  await writeFile(file, '')
  const runs = async () => (await readFile(file, 'utf8')).split('\n').length - 1
  return { server: node(program('counting-server.mjs'), file), runs }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const body = (callId: string, args: object = {}) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'pay', arguments: args, _meta: { ...META, 'switchboard/callId': callId } },
  })
const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'pay' }
const pay = (companion: Running, callId: string, args?: object, signal?: AbortSignal) =>
  ask(companion, '/mcp/counting', { method: 'POST', headers, body: body(callId, args), signal: signal ?? null })

describe('[R-22] a tool call that arrives twice', () => {
  it('runs once, and both copies get its answer: at the same time, and later', async () => {
    const { server, runs } = await counting()
    const companion = await start({ counting: server })
    const copies = await Promise.all([1, 2, 3].map(async () => (await pay(companion, 'one')).text()))
    copies.push(await (await pay(companion, 'one')).text())
    for (const copy of copies) expect(copy).toContain('paid 1')
    expect(await runs()).toBe(1)
    expect(await (await pay(companion, 'two')).text()).toContain('paid 2')
  })

  it('with other arguments is another call under a stolen name, and refused', async () => {
    const { server, runs } = await counting()
    const companion = await start({ counting: server })
    await (await pay(companion, 'one')).text()
    expect((await pay(companion, 'one', { amount: 5 })).status).toBe(400)
    expect(await runs()).toBe(1)
  })

  it('after its first connection has died goes on where the first was, and is not cancelled', async () => {
    const { server, runs } = await counting()
    const companion = await start({ counting: server }, { limits: { returnMs: 5000 } })
    const first = new AbortController()
    await pay(companion, 'slow', { ms: 300 }, first.signal)
    first.abort()
    expect(await (await pay(companion, 'slow', { ms: 300 })).text()).toContain('paid 1')
    expect(await runs()).toBe(1)
  })

  it.each(eras)('from our own client it runs once for each call ($era)', async ({ config }) => {
    const { server, runs } = await counting()
    const client = await connect(await start({ counting: server }), 'counting', config)
    await Promise.all([1, 2, 3].map(() => client.call('pay')))
    expect(await runs()).toBe(3)
  })

  it('from Chromium, on connections that die before the answer begins, runs once each', async () => {
    const { server, runs } = await counting()
    const companion = await start({ counting: server })
    const { port } = new URL(companion.origin)
    let calls = 0
    // Stands in the way of the page, and kills the connection of every call right after it went through.
    const proxy = createServer((socket: Socket) => {
      const onward = connectTcp(Number(port), '127.0.0.1')
      let dying = false
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1').replaceAll(`localhost:${proxyPort()}`, `localhost:${port}`)
        onward.write(text, 'latin1')
        dying = text.includes('"tools/call"') && ++calls % 2 === 1
        if (dying) setTimeout(() => socket.resetAndDestroy(), 50)
      })
      onward.on('data', (chunk) => dying || socket.write(chunk))
      for (const [one, other] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
      }
    })
    const proxyPort = () => (proxy.address() as { port: number }).port
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const browser = await launchChromium()
    onTestFinished(async () => {
      await browser.close()
      proxy.close()
    })
    const page = await browser.newPage({ bypassCSP: true })
    await page.goto(`http://localhost:${proxyPort()}/`)
    const results = await page.evaluate(
      async ({ token, meta }) => {
        const send = async (method: string, id: number, name?: string) => {
          const _meta = { ...meta, ...(name && { 'switchboard/callId': `call-${id}` }) }
          const response = await fetch('/mcp/counting', {
            method: 'POST',
            headers: {
              'x-switchboard-token': token,
              'content-type': 'application/json',
              'mcp-protocol-version': '2026-07-28',
              'mcp-method': method,
              ...(name && { 'mcp-name': name }),
            },
            body: JSON.stringify({
              jsonrpc: '2.0',
              id,
              method,
              params: { ...(name && { name, arguments: {} }), _meta },
            }),
          })
          return response.text()
        }
        const texts: string[] = []
        for (let count = 0; count < 10; count++) {
          // So that the connection of the call is one that was used before.
          await send('tools/list', 1000 + count)
          texts.push(await send('tools/call', count, 'pay').catch((error: Error) => error.name))
        }
        return texts
      },
      { token: companion.token, meta: META },
    )
    // Chromium sent most of them again by itself; without that there would be nothing to see here.
    expect(calls).toBeGreaterThan(10)
    expect(await runs()).toBe(10)
    expect(results.filter((text) => text.includes('paid')).length).toBeGreaterThan(0)
  })
})
