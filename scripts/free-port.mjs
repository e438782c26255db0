import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port that is free, with the next one, for the relay. Systems choose theirs from above: nobody gets it meanwhile.
 * @returns {Promise<number>}
 */
export async function freePort() {
  const port = randomInt(10_000, 30_000)
  return (await isFree(port)) && (await isFree(port + 1)) ? port : freePort()
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
