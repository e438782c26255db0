import { fileURLToPath } from 'node:url'
import { configFile } from './config.ts'
import { explainStartFailure } from './explain-start-failure.ts'
import { openBrowser } from './open-browser.ts'
import { HELP, readOptions } from './read-options.ts'
import { startCompanion } from './start-companion.ts'

const app = fileURLToPath(new URL('../../web/dist', import.meta.url))

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.help) return console.log(HELP)
  const config = options.config ?? configFile()
  let removeRedirect = (): void => {}
  const companion = await startCompanion({
    port: options.port,
    app: options.app ?? app,
    config,
    relayLoopback: options.relayLoopback,
    onOpened: () => {
      removeRedirect()
      console.log(`  Opened. For another browser: ${companion.url}`)
    },
  })
  const { url } = companion
  console.log(`\n  Switchboard is at ${url}\n  Local MCP servers are listed in ${config}\n  Ctrl+C ends it.\n`)
  if (options.open) removeRedirect = openBrowser(url)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      removeRedirect()
      void companion.close().then(() => process.exit(0))
    })
}

try {
  await main()
} catch (error) {
  console.error(explainStartFailure(error))
  process.exit(1)
}
