import { randomBytes } from 'node:crypto'
import { createDemoEndpoint } from '@switchboard/demo-server/demo-endpoint'
import { createAdmission } from './admission.ts'
import { createAppFrames } from './apps/app-frames.ts'
import { json, text } from './answers.ts'
import { createBridge } from './bridge/bridge.ts'
import type { LedgerLimits } from './bridge/ledger.ts'
import { createSupervisor, type SupervisorLimits } from './bridge/supervisor.ts'
import { watchConfig } from './config.ts'
import { type GuardRules, originsOf } from './guard.ts'
import { createHandler, type Route } from './handler.ts'
import { type Listener, listen } from './listen.ts'
import type { Resolve } from './relay/forward.ts'
import { createRelay } from './relay/relay.ts'
import { createRelayOrigins } from './relay/relay-origins.ts'
import { createProbeApi } from './probe-api.ts'
import { createRelayApi } from './relay-api.ts'
import { readAppFiles } from './serve-app.ts'
import { createServersApi } from './servers-api.ts'

export interface CompanionOptions {
  /** Where the app is; the relay is at the next port. 0: any that are free. */
  port: number
  /** The folder of the built app. */
  app: string
  /** The file that lists the local servers. */
  config: string
  /** An address was opened: whoever wants to open another reads it now. */
  onOpened?: () => void
  /** Whether the relay may reach every server of this machine without an entry in the file. */
  relayLoopback?: boolean
  limits?: Partial<SupervisorLimits & LedgerLimits>
  resolve?: Resolve
}

export interface Companion {
  /** An address to open: a new one at each reading, each good for one opening. */
  readonly url: string
  readonly origin: string
  /** Where the relay is: another origin than the app's. */
  readonly relay: string
  readonly token: string
  close(): Promise<void>
}

/** Starts everything, reachable from this machine only. */
export async function startCompanion(options: CompanionOptions): Promise<Companion> {
  const { port, limits, resolve } = options
  const files = readAppFiles(options.app)
  const token = randomBytes(32).toString('base64url')
  const config = watchConfig(options.config)
  const supervisor = createSupervisor(config, limits)
  const demo = createDemoEndpoint()
  const admission = createAdmission(token, () => options.onOpened?.())
  const servers = createServersApi(supervisor, config, options.config)
  const ownPorts: string[] = []
  let relay: Listener | undefined
  const origins = createRelayOrigins(config, {
    file: options.config,
    isLoopbackAllowed: options.relayLoopback === true,
    ownPorts: () => ownPorts,
  })
  const relayOrigin = (): string => `http://localhost:${relay?.port}`
  const relayUrl = (): string => `${relayOrigin()}/relay/`
  const frames = createAppFrames(relayOrigin)

  const routes = new Map<string, Route>([
    ['/api/open', { access: 'open', answer: (request) => admission.answer(request) }],
    ['/api/health', { access: 'token', answer: () => json({ ok: true }) }],
    ['/api/servers', { access: 'token', answer: (request) => servers(request, '') }],
    ['/api/servers/', { access: 'token', answer: (request, rest) => servers(request, `/${rest}`) }],
    ['/api/relay/origins', { access: 'token', answer: createRelayApi(origins, relayUrl, config, options.config) }],
    ['/api/apps', { access: 'token', answer: (request) => frames.register(request) }],
    ['/api/probe', { access: 'token', answer: createProbeApi(origins, resolve) }],
    ['/mcp/', { access: 'token', answer: createBridge(supervisor, limits) }],
    // Open to every MCP client of this machine: nothing in it is real.
    ['/demo/mcp', { access: 'open', maxBodyBytes: 1 << 20, answer: (request) => demo.fetch(request) }],
    [
      '/demo/confirm.html',
      { access: 'open', answer: () => text('You are here. Go back and say that you have done it.') },
    ],
  ])
  const site = await listen(port, (own) => {
    const rules: GuardRules = {
      port: own,
      origins: originsOf(own),
      sites: ['same-origin'],
      types: ['application/json'],
      token,
    }
    return createHandler(files, routes, rules, () => `${relayOrigin()}/apps/`)
  })
  ownPorts.push(`${site.port}`)
  const close = async (): Promise<void> => {
    frames.close()
    await Promise.all([site.close(), relay?.close(), supervisor.close(), demo.close()])
  }
  try {
    relay = await listen(port === 0 ? 0 : port + 1, (own) => {
      const types = ['application/json', 'application/x-www-form-urlencoded']
      const rules: GuardRules = { port: own, origins: originsOf(site.port), sites: ['same-site'], types, token }
      return frames.beside(createRelay(rules, origins, resolve), own, originsOf(site.port))
    })
    ownPorts.push(`${relay.port}`)
  } catch (error) {
    await close()
    throw error
  }
  const origin = `http://localhost:${site.port}`
  demo.setOrigin(`${origin}/demo/`)
  return {
    get url() {
      return `${origin}/#code=${admission.newCode()}`
    },
    origin,
    relay: relayUrl(),
    token,
    close,
  }
}
