import { MCPError } from '@switchboard/mcp'
import { Failed } from '#domain/failure.ts'
import { isLoopback } from '#domain/loopback.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * Sends nothing while this device is offline, and says so at once: a call that fails here was not made, which afterwards nobody could
 * tell. What runs on this device is there without a network.
 */
export const unlessOffline =
  (fetch: Fetch, isOnline: () => boolean): Fetch =>
  async (url, init) => {
    const { hostname, host } = new URL(url)
    if (isOnline() || isLoopback(hostname)) return fetch(url, init)
    const cause = new Failed('no-network', `${host} was not reached: this device is offline. Nothing was sent.`)
    throw new MCPError('was not sent: this device is offline', 'network', { cause })
  }
