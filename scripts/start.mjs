// Installs what is missing, builds, and starts the companion, which serves the app.
import { installPackages } from './install.mjs'
import { npm } from './run.mjs'

await installPackages()
await npm(['run', 'build'])
// A specifier in a variable: the program is no part of the type-check of these scripts.
const companion = new URL('../apps/companion/dist/main.js', import.meta.url)
await import(companion.href)
