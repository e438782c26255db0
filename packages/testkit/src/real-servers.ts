import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where each real server answers. Plain data: it travels to a page. */
export interface RealServerAddresses {
  /** server-everything, Streamable HTTP, sessions. */
  everything: string
  /** server-everything, HTTP+SSE of 2024-11-05. */
  everythingSse: string
  /** mcp-proxy in front of server-memory, both eras. */
  memory: string
  /** mcp-proxy in front of server-filesystem, both eras. */
  filesystem: string
  /** An MCP Apps example server: sessions era without sessions. */
  apps: string
  /** A server on the official server SDK, both eras on one URL. */
  twoEras: string
  /** The folder that server-filesystem may touch. It holds `hello.txt`. */
  folder: string
}

export type RealServerName = Exclude<keyof RealServerAddresses, 'folder'>

export interface RealServers {
  readonly addresses: RealServerAddresses
  stop(): Promise<void>
}

interface Launch {
  script: string
  args?: string[]
  env?: Record<string, string>
  path: string
}

const LOOPBACK = new URL('real-servers-loopback.mjs', import.meta.url).href
const READY_WITHIN_MS = 110_000
const LOG_KEPT = 4000

const require = createRequire(import.meta.url)

/** Where a package is installed, found without asking its `exports`, which hide most of it. */
export function folderOf(name: string): string {
  for (const folder of require.resolve.paths(name) ?? [])
    if (existsSync(join(folder, name, 'package.json'))) return join(folder, name)
  throw new Error(`${name} is not installed: npm ci`)
}

/** The program a package installs. */
export function programOf(name: string): string {
  const folder = folderOf(name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>
  }
  const program = typeof bin === 'string' ? bin : Object.values(bin ?? {})[0]
  if (program === undefined) throw new Error(`${name} has no program`)
  return join(folder, program)
}

function launches(folder: string, apiKey: string | undefined): Record<RealServerName, () => Launch> {
  const everything = () => programOf('@modelcontextprotocol/server-everything')
  const keyed = apiKey === undefined ? [] : ['--apiKey', apiKey, '--corsAddAllowedHeader', 'X-API-Key']
  const proxied = (name: string, args: string[] = [], env: Record<string, string> = {}): Launch => ({
    script: programOf('mcp-proxy'),
    args: ['--host', '127.0.0.1', ...keyed, '--', process.execPath, programOf(name), ...args],
    env,
    path: '/mcp',
  })
  return {
    everything: () => ({ script: everything(), args: ['streamableHttp'], path: '/mcp' }),
    everythingSse: () => ({ script: everything(), args: ['sse'], path: '/sse' }),
    memory: () =>
      proxied('@modelcontextprotocol/server-memory', [], { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
    filesystem: () => proxied('@modelcontextprotocol/server-filesystem', [join(folder, 'files')]),
    apps: () => ({
      script: programOf('@modelcontextprotocol/server-debug'),
      args: [`--log-file=${join(folder, 'debug.log')}`],
      path: '/mcp',
    }),
    twoEras: () => ({
      script: fileURLToPath(new URL('real-servers-two-eras.mjs', import.meta.url)),
      path: '/mcp',
    }),
  }
}

function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    // Not SIGTERM: a server that ends with manners waits for its streams to end.
    child.kill('SIGKILL')
  })
}

/** Starts one server and waits until it says that it listens. */
function launch(name: string, { script, args = [], env = {}, path }: Launch, started: ChildProcess[]): Promise<string> {
  const child = spawn(process.execPath, ['--import', LOOPBACK, script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? tmpdir(), ...env },
  })
  started.push(child)
  let log = ''
  const keep = (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-LOG_KEPT)
  }
  // Both pipes are read for as long as the server lives: a full pipe would stop it.
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(`did not listen within ${READY_WITHIN_MS} ms`), READY_WITHIN_MS)
    const fail = (what: string) => {
      clearTimeout(late)
      reject(new Error(`${name} ${what}\n${log}`))
    }
    child.once('message', (message) => {
      clearTimeout(late)
      resolve(`http://127.0.0.1:${(message as { listening: number }).listening}${path}`)
    })
    child.once('error', (error) => fail(`could not be started: ${error.message}`))
    child.once('exit', (code, signal) => fail(`ended before it listened (${signal ?? code})`))
  })
}

/**
 * Starts servers that others have written, as processes of their own on free ports of 127.0.0.1, and resolves when all
 * of them listen. With names, only those are started, and only their addresses may be used. With a key, those behind mcp-proxy
 * want it in the header X-API-Key.
 */
export async function startRealServers(
  names?: readonly RealServerName[],
  { apiKey }: { apiKey?: string } = {},
): Promise<RealServers> {
  const started: ChildProcess[] = []
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'real-servers-')))
  const stop = async () => {
    await Promise.all(started.map(stopProcess))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const files = join(folder, 'files')
    await mkdir(files)
    await writeFile(join(files, 'hello.txt'), 'hello\n')
    const all = launches(folder, apiKey)
    const wanted = names ?? (Object.keys(all) as RealServerName[])
    const addresses: RealServerAddresses = {
      everything: '',
      everythingSse: '',
      memory: '',
      filesystem: '',
      apps: '',
      twoEras: '',
      folder: files,
    }
    await Promise.all(
      wanted.map(async (name) => {
        addresses[name] = await launch(name, all[name](), started)
      }),
    )
    return { addresses, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
