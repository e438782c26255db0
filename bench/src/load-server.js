/** Starts the server of server.js as a child process. */
import { fork } from 'node:child_process'
import path from 'node:path'
import { BUNDLES, ROOT } from './paths.js'

export async function startLoadServer() {
  const child = fork(path.join(ROOT, 'src/server.js'), [BUNDLES], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--max-old-space-size=4096'],
  })
  const port = await new Promise((resolve, reject) => {
    child.once('message', ({ ready }) => resolve(ready))
    child.once('exit', (code) => reject(new Error(`The load server exited with ${code}`)))
  })
  const origin = `http://127.0.0.1:${port}`
  return {
    port,
    origin,
    /** The endpoint for a contestant; the options are those at the head of server.js. */
    endpoint: (era, config) =>
      `${origin}/mcp?${new URLSearchParams({ era: era === '2026' ? 'both' : era, ...config })}`,
    /** Starts a new request log; the function it returns gives the log and ends it. */
    log() {
      child.send({ command: 'log' })
      return () =>
        new Promise((resolve) => {
          child.once('message', ({ log }) => resolve(log))
          child.send({ command: 'take' })
        })
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve)
        child.kill()
      }),
  }
}
