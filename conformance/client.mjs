// The client under test: a small application on the library's public surface. The conformance tools start it with the
// address of their server as the last argument, and the scenario's name in the environment.
import { strictEqual } from 'node:assert'
import { applications, useTestTool } from './applications.mjs'
import { expectFault, prepareSignIn, signIns } from './sign-in.mjs'

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const wire = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION
const url = process.argv.at(-1) ?? ''

// A hung client keeps the tool's pipes open, and the tool waits for ever. A timer that does not hold the process is
// enough: whatever hangs holds it.
setTimeout(() => {
  console.error('The client hung.')
  process.exit(3)
}, 170_000).unref()

/** @param {string | undefined} version */
function isStateless(version) {
  return version !== undefined && version >= '2026-07-28'
}

const signIn = signIns[scenario]
const application = signIn ? useTestTool : applications[scenario]
if (!application) {
  // Said before the library is loaded: a requirement set starts dozens of these at once.
  console.error(`There is no application for "${scenario}".`)
  process.exit(2)
}

/** @type {typeof import('../packages/mcp/dist/oauth/index.js')} */
const library = await import(`../packages/mcp/dist/${signIn ? 'oauth' : 'index'}.js`)
const person = signIn && prepareSignIn(library, signIn, url)
const connecting = library.createMCPClient({
  transport: { type: 'http', url, ...(person && { authProvider: person.provider }) },
  clientName: 'switchboard-conformance',
  version: '0.1.0',
  onElicitationRequest: () => ({ action: 'accept', content: {} }),
})
if (signIn?.fault) {
  await expectFault(library, connecting, signIn.fault)
} else {
  const client = await connecting
  if (wire) strictEqual(isStateless(client.getProtocolVersion()), isStateless(wire), 'the era of the server')
  await application(client)
  await client.close()
}
person?.check()
// Said at the very end, and without a process.exit: if the library has left something open, the watchdog comes first.
process.once('exit', (code) => {
  if (code === 0) console.log(`done in ${Math.round(performance.now())} ms`)
})
