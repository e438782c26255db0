import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { launchChromium } from '../../../demo-server/test/demo.ts'
import type { Assignment, Story } from './agent.ts'

type WithAgent = { runAgent(assignment: Assignment): Promise<Story> }

export interface AgentPage {
  run(assignment: Assignment): Promise<Story>
  close(): Promise<void>
}

/** The agent with everything it needs in one file, in a page of another origin than model and servers. */
export async function openAgentPage(): Promise<AgentPage> {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['switchboard-source'],
    target: 'es2023',
    write: false,
    logLevel: 'error',
  })
  const site = createServer((request, response) => {
    const isPage = request.url === '/'
    response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript')
    response.end(isPage ? '<!doctype html><script type="module" src="agent.js"></script>' : bundle.outputFiles[0]?.text)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const browser = await launchChromium()
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  await page.waitForFunction('globalThis.runAgent')
  return {
    run: (assignment) => page.evaluate((given) => (globalThis as unknown as WithAgent).runAgent(given), assignment),
    async close() {
      await browser.close()
      site.closeAllConnections()
      await new Promise((resolve) => site.close(resolve))
    },
  }
}
