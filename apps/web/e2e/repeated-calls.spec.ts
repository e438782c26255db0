import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCompanion } from '@switchboard/companion'
import { FaultServer } from '@switchboard/testkit/fault-server'
import { expect, store, test } from './chat-fixtures.ts'
import { builtApp } from './fixtures.ts'
import { storedServer } from './stored-server.ts'

const CALLS = 5

/** Passes requests on to a server, and kills the connection of each tool call before the head of its answer. */
async function startKillingProxy(port: number) {
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const onward = connect(port, '127.0.0.1')
    let isDying = false
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      onward.write(text.replaceAll(`127.0.0.1:${own()}`, `127.0.0.1:${port}`), 'latin1')
      if (!text.includes('"method":"tools/call"')) return
      isDying = true
      setTimeout(() => socket.resetAndDestroy(), 50)
    })
    onward.on('data', (chunk) => isDying || socket.write(chunk))
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  const own = () => (proxy.address() as AddressInfo).port
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${own()}/mcp`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

for (const relayLoopback of [true, false])
  test(
    relayLoopback
      ? '[R-22] through the companion, a call on a dying plain HTTP connection runs exactly once'
      : '[R-22] without the companion, Chromium repeats such calls: the fault above is real',
    async ({ page }) => {
      const folder = mkdtempSync(join(tmpdir(), 'switchboard-repeated-'))
      const config = join(folder, 'servers.json')
      const companion = await startCompanion({ port: 0, app: builtApp, config, relayLoopback })
      const server = await new FaultServer({ era: 'stateless', cors: true }).start()
      const proxy = await startKillingProxy(Number(new URL(server.url).port))
      try {
        await page.goto(companion.url)
        await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
        await store(page, { mcpServers: [storedServer({ id: 'counter', name: 'Counter', url: proxy.url })] })
        await page.goto(`${companion.origin}/#/tools/counter/echo`)
        await page.reload()
        const run = page.getByRole('region', { name: 'Arguments' }).getByRole('button', { name: 'Run', exact: true })
        const runs = () => server.ledger.count('tools/call')
        for (let call = 1; call <= CALLS; call += 1) {
          // So that a connection is there that was used before.
          await expect(run).toBeEnabled()
          const before = runs()
          await run.click()
          await expect.poll(runs).toBeGreaterThan(before)
          await expect(run).toBeEnabled()
          // Its outcome is not known, and it is not made again.
          await expect(page.getByText('may have run').first()).toBeVisible()
        }
        if (relayLoopback) expect(runs()).toBe(CALLS)
        else expect(runs()).toBeGreaterThan(CALLS)
      } finally {
        proxy.close()
        await server.stop()
        await companion.close()
        rmSync(folder, { recursive: true })
      }
    },
  )
