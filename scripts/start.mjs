// Installs what is missing, builds, and starts the demo server with its page.
import { installPackages } from './install.mjs'
import { npm } from './run.mjs'

await installPackages()
await npm(['run', 'build'])
// A specifier in a variable: the page is no part of the type-check of these scripts.
const start = new URL('../packages/demo-server/start.mjs', import.meta.url)
await import(start.href)
