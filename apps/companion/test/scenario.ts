import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Companion, type CompanionOptions, startCompanion } from '@switchboard/companion'
import { createMCPClient, type MCPClient, type MCPClientConfig } from '@switchboard/mcp'
import { programOf } from '@switchboard/testkit/real-servers'
import { expect, onTestFinished } from 'vitest'

export const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export interface Entry {
  command: string
  args?: string[]
  env?: Record<string, string>
  cwd?: string
}

export const node = (script: string, ...args: string[]): Entry => ({
  command: process.execPath,
  args: [script, ...args],
})

/** The program of the library's own tests: its tools are its faults. */
export const misbehaving = (...faults: string[]): Entry =>
  node(program('../../../packages/mcp/test/stdio/misbehaving-server.mjs'), ...faults)

export const everything = (): Entry => node(programOf('@modelcontextprotocol/server-everything'), 'stdio')

/** A folder that is gone after the test. */
export async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'companion-')))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** A built app, as small as one can be. */
export async function smallApp(): Promise<string> {
  const path = await folder()
  await mkdir(join(path, 'assets'))
  await mkdir(join(path, 'oauth'))
  await writeFile(join(path, 'index.html'), `<!doctype html><title>app</title>${'<p>words</p>'.repeat(50)}`)
  await writeFile(join(path, 'oauth/callback.html'), '<!doctype html><title>callback</title>')
  await writeFile(join(path, 'assets/engine.js'), 'export const engine = 1')
  await writeFile(join(path, 'assets/page-3c4d.js'), 'export const page = 1')
  await writeFile(join(path, 'manifest.webmanifest'), '{}')
  await writeFile(join(path, '.secret.html'), 'secret')
  return path
}

export async function writeConfig(
  file: string,
  mcpServers: Record<string, unknown>,
  allow: string[] = [],
): Promise<void> {
  await writeFile(file, JSON.stringify({ mcpServers, relay: { allow } }))
  await chmod(file, 0o600)
}

export interface Running extends Companion {
  config: string
}

/** A companion of its own, with these servers in its file. */
export async function start(
  servers: Record<string, Entry> = {},
  options: Partial<CompanionOptions> & { allow?: string[] } = {},
): Promise<Running> {
  const { allow, ...more } = options
  const config = join(await folder(), 'servers.json')
  await writeConfig(config, servers as Record<string, unknown>, allow)
  const companion = await startCompanion({ port: 0, app: await smallApp(), config, ...more })
  onTestFinished(() => companion.close())
  return { ...companion, config }
}

/** Asks as the app does. */
export const ask = (companion: Companion, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(companion.origin + path, {
    ...init,
    headers: {
      'x-switchboard-token': companion.token,
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...(init.headers as Record<string, string> | undefined),
    },
  })

export interface ServerView {
  name: string
  state: string
  pid?: number
  restarts: number
  lastError?: string
  junkLines: number
  stderrTail: string
}

export async function servers(companion: Companion): Promise<ServerView[]> {
  return ((await (await ask(companion, '/api/servers')).json()) as { servers: ServerView[] }).servers
}

export const eras = [
  { era: 'sessions', config: { protocolVersionDiscovery: false }, revision: '2025-11-25' },
  { era: 'stateless', config: {}, revision: '2026-07-28' },
]

/** Our client at a server of the companion. */
export async function connect(
  companion: Companion,
  name: string,
  config: Partial<MCPClientConfig> = {},
): Promise<MCPClient> {
  const headers = { 'x-switchboard-token': companion.token }
  const client = await createMCPClient({
    transport: { type: 'http', url: `${companion.origin}/mcp/${name}`, headers },
    ...config,
  })
  onTestFinished(() => client.close())
  return client
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // What has ended keeps its number until its parent has noticed.
  const state = `/proc/${pid}/stat`
  return !existsSync(state) || !/\) [ZX] /.test(readFileSync(state, 'utf8'))
}

export async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => isRunning(pid), { timeout: 10_000, interval: 20 }).toBe(false)
}
