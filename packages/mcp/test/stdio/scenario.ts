import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createMCPClient, isMCPError, type MCPClient, type MCPClientConfig, type MCPError } from '@switchboard/mcp'
import { type StdioOptions, StdioTransport } from '@switchboard/mcp/stdio'
import { expect, onTestFinished } from 'vitest'

export const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** A program of Node as a server whose end the test sees to. */
export function node(script: string, args: string[] = [], options: Partial<StdioOptions> = {}): StdioTransport {
  const transport = new StdioTransport({
    command: process.execPath,
    args: [script, ...args],
    stderr: 'ignore',
    graceMs: 500,
    ...options,
  })
  onTestFinished(async () => {
    const { pid } = transport
    await transport.close()
    if (pid !== undefined) await expectGone(pid)
  })
  return transport
}

export const misbehaving = (args: string[] = [], options: Partial<StdioOptions> = {}): StdioTransport =>
  node(program('misbehaving-server.mjs'), args, options)
export const twoEras = (): StdioTransport => node(program('two-eras-server.mjs'))

export async function open(
  transport: StdioTransport,
  config: Partial<MCPClientConfig> = {},
): Promise<{ transport: StdioTransport; client: MCPClient; errors: Error[] }> {
  const errors: Error[] = []
  const client = await createMCPClient({
    transport,
    onUncaughtError: (error) => void errors.push(error as Error),
    ...config,
  })
  onTestFinished(() => client.close())
  return { transport, client, errors }
}

export async function failureOf(promise: Promise<unknown>): Promise<MCPError> {
  const error = await promise.then(
    () => new Error('It succeeded'),
    (reason: unknown) => reason,
  )
  if (isMCPError(error)) return error
  throw new Error(`No MCPError: ${String(error)}`, { cause: error })
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // What has ended keeps its number until its parent has noticed, which may be the system's first process, and slow.
  const state = `/proc/${pid}/stat`
  return !existsSync(state) || !/\) [ZX] /.test(readFileSync(state, 'utf8'))
}

export async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => isRunning(pid), { interval: 10 }).toBe(false)
}
