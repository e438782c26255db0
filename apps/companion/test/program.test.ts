import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../scripts/free-port.mjs'
import { launchChromium } from './chromium.ts'
import {
  connect,
  type Entry,
  expectGone,
  folder,
  isRunning,
  misbehaving,
  program,
  smallApp,
  writeConfig,
} from './scenario.ts'

/** The program as it is built, from the sources of now. */
const main = program('../node_modules/.cache/program/main.js')
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [program('../build.mjs'), '--out', dirname(main)])
})

interface Program {
  child: ChildProcess
  output: () => string
  ended: Promise<number | null>
}

function run(args: string[], env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [main, '--no-open', ...args], { env: { ...process.env, ...env } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, output: () => output, ended }
}

async function tokenFor(origin: string, code: string): Promise<string> {
  const response = await fetch(`${origin}/api/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return ((await response.json()) as { token?: string }).token ?? ''
}

async function started(servers: Record<string, Entry> = {}) {
  const port = await freePort()
  const config = join(await folder(), 'servers.json')
  await writeConfig(config, servers as Record<string, unknown>)
  const companion = run(['--port', String(port), '--app', await smallApp(), '--config', config])
  await expect.poll(companion.output).toContain('#code=')
  const code = /#code=(\S+)/.exec(companion.output())?.[1] ?? ''
  const token = await tokenFor(`http://localhost:${port}`, code)
  const at = { origin: `http://localhost:${port}`, url: '', relay: '', token, close: async () => {} }
  return { ...companion, port, at, code }
}

describe('the program', () => {
  it('[A7.1] prints an address with a code of 256 bits, which is good once, and never its token', async () => {
    const { at, code, output } = await started()
    for (const secret of [code, at.token]) expect(Buffer.from(secret, 'base64url').length).toBe(32)
    expect(await tokenFor(at.origin, code)).toBe('')
    // The next browser gets an address of its own.
    await expect.poll(() => output().match(/#code=/g)).toHaveLength(2)
    const next = /For another browser: \S+#code=(\S+)/.exec(output())?.[1] ?? ''
    expect(await tokenFor(at.origin, next)).toBe(at.token)
    await fetch(`${at.origin}/api/health`, { headers: { 'x-switchboard-token': at.token } })
    await fetch(`${at.origin}/api/health`, { headers: { 'x-switchboard-token': 'wrong' } })
    expect(output()).not.toContain(at.token)
  })

  it('[A7.1] opens a private file that redirects, with no code in any argument', async () => {
    // Stands in for the desktop's opener: it writes down its arguments, as every user of the machine could read them.
    const bin = await folder()
    const opened = join(bin, 'opened')
    await writeFile(
      join(bin, 'xdg-open'),
      `#!/bin/sh\nprintf '%s\\n' "$@" > '${opened}.part'\nmv '${opened}.part' '${opened}'\n`,
    )
    await chmod(join(bin, 'xdg-open'), 0o755)
    const port = await freePort()
    const command = [
      process.execPath,
      main,
      '--port',
      port,
      '--app',
      await smallApp(),
      '--config',
      join(bin, 'servers.json'),
    ]
    const { CI: _, ...env } = process.env
    // `script` gives it a terminal, without which nothing is opened.
    const child = spawn('script', ['-qefc', command.map((part) => `'${part}'`).join(' '), '/dev/null'], {
      env: { ...env, PATH: `${bin}:${env['PATH']}`, DISPLAY: ':99' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await expect.poll(() => existsSync(opened)).toBe(true)
    const [argument = '', ...more] = (await readFile(opened, 'utf8')).trim().split('\n')
    expect(more).toEqual([])
    expect(argument).toMatch(/^file:\/\/\/.+\.html$/)
    const file = fileURLToPath(argument)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)

    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(argument)
    await page.waitForURL(new RegExp(`^http://localhost:${port}/#code=`))
    expect(await tokenFor(`http://localhost:${port}`, new URL(page.url()).hash.slice('#code='.length))).toMatch(
      /^.{43}$/,
    )
    await expect.poll(() => existsSync(dirname(file))).toBe(false)
    child.kill('SIGTERM')
    await once(child, 'exit')
  })

  it('[A7.1] is not there for other machines', async () => {
    const { port } = await started()
    const outside = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address && !address.internal && address.family === 'IPv4')
      .map((address) => `http://${address?.address}`)
    for (const host of [...outside, 'http://127.0.0.2'])
      for (const own of [port, port + 1]) await expect(fetch(`${host}:${own}/`)).rejects.toThrow('fetch failed')
  })

  it('[R-38] says what to do when its port is taken, and when that of the relay is', async () => {
    const first = await started()
    const second = run(['--port', String(first.port), '--app', await smallApp()])
    expect(await second.ended).toBe(1)
    expect(second.output()).toMatch(/Port \d+ is taken.*\n.*--port/)
    const third = run(['--port', String(first.port - 1), '--app', await smallApp()])
    expect(await third.ended).toBe(1)
    expect(third.output()).toContain(`Port ${first.port} is taken`)
  })

  it.each([
    [['--port', 'x'], 'is no port'],
    [['--port', '65535'], 'is no port'],
    [['--app', '/nowhere'], 'npm run build'],
    [['--host', '0.0.0.0'], "Unknown option '--host'"],
  ])('ends with a next step for %j', async (args, words) => {
    const { ended, output } = run(args)
    expect(await ended).toBe(1)
    expect(output()).toContain(words)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    '[R-38] leaves no local server behind after %s',
    async (signal) => {
      const { child, at, ended } = await started({ tame: misbehaving(), stubborn: misbehaving('stubborn') })
      const pids: number[] = []
      for (const name of ['tame', 'stubborn']) {
        const client = await connect(at, name)
        const { text } = await client.call('start-another', { talks: 'stdout' })
        pids.push(Number(text))
      }
      const response = await fetch(`${at.origin}/api/servers`, { headers: { 'x-switchboard-token': at.token } })
      const { servers } = (await response.json()) as { servers: { pid: number }[] }
      pids.push(...servers.map(({ pid }) => pid))
      expect(pids.map(isRunning)).toEqual([true, true, true, true])
      child.kill(signal)
      expect(await ended).toBe(signal === 'SIGKILL' ? null : 0)
      for (const pid of pids) await expectGone(pid)
    },
  )

  it('[R-38] after a new start the old token is worth nothing', async () => {
    const first = await started()
    const second = await started()
    const response = await fetch(`${second.at.origin}/api/health`, {
      headers: { 'x-switchboard-token': first.at.token },
    })
    expect(response.status).toBe(401)
  })
})
