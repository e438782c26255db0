// `npm start`: the demo server and its page, on one fixed port of localhost.
import { explainStartFailure } from './src/explain-start-failure.mjs'
import { openBrowser } from './src/open-browser.mjs'
import { startDemo } from './src/start-demo.mjs'

const DEFAULT_PORT = 4114
const args = process.argv.slice(2)
const given = args.includes('--port') ? args[args.indexOf('--port') + 1] : (process.env.PORT ?? String(DEFAULT_PORT))
const port = Number(given)

if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`"${given}" is no port. Choose a number up to 65535: npm start -- --port 4115`)
  process.exit(2)
}

try {
  const demo = await startDemo({ port })
  console.log(`\n  Switchboard is at ${demo.url}  (its MCP server: ${demo.mcpUrl})\n  Ctrl+C ends it.\n`)
  if (!args.includes('--no-open')) openBrowser(demo.url)
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void demo.close().then(() => process.exit(0)))
  }
} catch (error) {
  console.error(explainStartFailure(error, port))
  process.exit(1)
}
