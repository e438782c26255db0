import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PassThrough } from 'node:stream'
import { createMCPClient, type MCPClient, type MCPError } from '@switchboard/mcp'
import { StdioTransport } from '@switchboard/mcp/stdio'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LineReader } from '../../src/stdio/line-reader.ts'
import { expectGone, failureOf, isRunning, misbehaving, open } from './scenario.ts'

/** What a client waits for, and how long it took. */
async function timed<T>(deed: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now()
  const result = await deed()
  return { result, ms: performance.now() - began }
}

/** A signal that tells who listens to it. */
function listened() {
  const controller = new AbortController()
  vi.spyOn(controller.signal, 'removeEventListener')
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** Has a server start another program; one that outlives its test would run for ever. */
async function startAnother(client: MCPClient, args: Record<string, unknown> = {}): Promise<number> {
  const pid = Number((await client.call('start-another', args)).text)
  endAfterTest(pid)
  return pid
}

function endAfterTest(pid: number): void {
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')))
}

describe('a program that does not run', () => {
  it('[N4] because there is none, is told at once and by its name', async () => {
    const transport = new StdioTransport({ command: 'no-such-program-of-ours' })
    const closed = vi.fn()
    transport.onclose = closed
    const error = await failureOf(transport.start())
    expect(error.message).toBe('no-such-program-of-ours did not start: there is no such program, or no such folder')
    expect(error).toMatchObject({ reason: 'network' })
    await transport.close()
    await transport.close()
    expect(closed).toHaveBeenCalledTimes(1)
    const late = await failureOf(
      createMCPClient({ transport: new StdioTransport({ command: 'no-such-program-of-ours' }) }),
    )
    expect(late.isNetworkError()).toBe(true)
    expect(late.isOutcomeUnknown()).toBe(false)
  })

  it('[N4] because its folder is missing or it is no program, is told too', async () => {
    const missing = new StdioTransport({ command: process.execPath, cwd: '/no/such/folder' })
    expect((await failureOf(missing.start())).message).toContain('no such folder')
    const folder = new StdioTransport({ command: '/' })
    expect((await failureOf(folder.start())).message).toBe('/ did not start: EACCES')
    const zero = new StdioTransport({ command: process.execPath, args: ['\0'] })
    expect((await failureOf(zero.start())).reason).toBe('network')
  })

  it('[N4] dies at start: its code is in the error, and its log can be read', async () => {
    const transport = misbehaving(['dies'], { stderr: 'pipe' })
    let log = ''
    transport.stderr?.on('data', (chunk: Buffer) => (log += String(chunk)))
    const ended = new Promise((resolve) => transport.stderr?.once('end', resolve))
    const { result, ms } = await timed(() => failureOf(createMCPClient({ transport })))
    expect(result.message).toContain('code 3')
    expect(result.isNetworkError()).toBe(true)
    expect(ms).toBeLessThan(30_000)
    await ended
    expect(log).toBe('no configuration found\n')
  })

  it('[N4] a mistake of the programmer is a TypeError', () => {
    expect(() => new StdioTransport({} as never)).toThrow(TypeError)
    expect(() => new StdioTransport({ command: 'a\nb' })).toThrow(TypeError)
    expect(() => new StdioTransport({ command: 'a', arguments: [] } as never)).toThrow('no option arguments')
  })

  it('[N4] what was never started sends nothing', async () => {
    const transport = new StdioTransport({ command: 'x' })
    const delivered = vi.fn()
    transport.onmessage = delivered
    await transport.send({ jsonrpc: '2.0', id: 7, method: 'ping' })
    expect(delivered.mock.calls[0]?.[0]).toMatchObject({ id: 7, error: { code: -32001 } })
    await expect(transport.send({ jsonrpc: '2.0', method: 'notifications/x' })).rejects.toMatchObject({
      reason: 'network',
    })
    await transport.close()
    await expect(transport.start()).rejects.toThrow('closed already')
  })

  it('[N4] is started once', async () => {
    const transport = misbehaving()
    await transport.start()
    await expect(transport.start()).rejects.toThrow('started')
  })
})

describe('a program that dies', () => {
  it.each([
    ['exit', { code: 9 }, 'code 9'],
    ['kill-itself', {}, 'SIGKILL'],
  ])('[N5] in a call (%s): every call under way fails at once, its outcome unknown', async (name, args, words) => {
    const { client, transport, errors } = await open(misbehaving())
    const silent = failureOf(client.call('silence'))
    // Both are sent before it is told to end: what it did not take did not run.
    await client.listTools(true)
    const listed = failureOf(client.call('silence'))
    const { result, ms } = await timed(() => failureOf(client.call(name, args)))
    expect(ms).toBeLessThan(30_000)
    expect(result.message).toContain(words)
    expect(result.message).toContain('It may have run')
    for (const error of [result, await silent, await listed]) {
      expect(error.isOutcomeUnknown()).toBe(true)
      expect(error.isNetworkError()).toBe(true)
    }
    await expectGone(transport.pid ?? 0)
    expect(errors.map((error) => error.message)).toEqual([expect.stringContaining(`is gone: it `)])
    const after = await failureOf(client.call('echo', { message: 'x' }))
    expect(after.message).toContain('is not running')
    expect(after.isOutcomeUnknown()).toBe(false)
  })

  it('[N5] after its answer: the answer counts', async () => {
    const { client } = await open(misbehaving())
    const { text } = await client.call('last-words', { size: 2_000_000 })
    expect(text).toHaveLength(2_000_000)
  })

  it('[N5] and is answered for by another, while we stand still: the answer counts', async () => {
    const { client } = await open(misbehaving())
    // Others are asked to end as soon as its end is known: from then on nothing happens here for a while.
    const spy = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
      queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000))
      return true
    })
    onTestFinished(() => spy.mockRestore())
    expect((await client.call('words-of-another')).text).toBe('said by another')
    // On a busy machine its end may be known after the answer.
    await vi.waitFor(() => expect(spy).toHaveBeenCalled(), 60_000)
  })

  it('[N5] and leaves another behind that holds its output: the call fails all the same, and the other ends', async () => {
    const { client } = await open(misbehaving())
    const other = await startAnother(client)
    expect(isRunning(other)).toBe(true)
    const { result, ms } = await timed(() => failureOf(client.call('exit', { code: 1 })))
    expect(result.isOutcomeUnknown()).toBe(true)
    expect(ms).toBeLessThan(30_000)
    await expectGone(other)
  })

  it('[N5] and leaves one behind that never stops talking: the call fails all the same, and the other ends', async () => {
    const { client } = await open(misbehaving())
    const other = await startAnother(client, { talks: 'stdout' })
    const { result, ms } = await timed(() => failureOf(client.call('exit', { code: 1 }, { timeout: 20_000 })))
    expect(result.message).toContain('code 1')
    expect(ms).toBeLessThan(30_000)
    await expectGone(other)
  })

  it.each(['ignore', 'pipe'] as const)(
    '[N5] and leaves one behind that has left its output and goes on logging: it ends too (log: %s)',
    async (stderr) => {
      const { client, transport } = await open(misbehaving([], { stderr }))
      const log = transport.stderr && vi.spyOn(transport.stderr as PassThrough, 'write')
      const other = await startAnother(client, { talks: 'stderr' })
      const failed = await failureOf(client.call('exit', { code: 1 }))
      expect(failed.isOutcomeUnknown()).toBe(true)
      await expectGone(other)
      // A log that is over takes no more: that would be an error nobody listens to.
      await client.close()
      expect(log?.mock.results.filter(({ value }) => value instanceof Error) ?? []).toEqual([])
    },
  )

  it('[N5] and leaves one behind that ends when asked: it has the time to', async () => {
    const { client } = await open(misbehaving([], { graceMs: 10_000 }))
    const folder = await mkdtemp(join(tmpdir(), 'stdio-end-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'cleaned')
    const other = await startAnother(client, { cleans: file })
    await failureOf(client.call('exit', { code: 1 }))
    await expectGone(other)
    expect(await readFile(file, 'utf8')).toBe('clean')
  })
})

describe('a program that talks too much', () => {
  it('[N6] greetings, empty lines and half messages are reported, and the messages among them heard', async () => {
    const { client, errors } = await open(misbehaving(['greets']))
    expect((await client.call('echo', { message: 'still here' })).text).toBe('still here')
    expect(errors.map(({ message }) => message.slice(message.indexOf('sent')))).toEqual([
      'sent a line that is no message: Welcome!',
      'sent a line that is no message:  [31m{"jsonrpc":"2.0"',
      'sent a line that is no message: []',
    ])
  })

  it('[N6] a flood of lines costs no call its answer', async () => {
    const { client, errors } = await open(misbehaving())
    expect((await client.call('noise', { lines: 20_000 })).text).toBe('after the noise')
    expect(errors).toHaveLength(20_000)
  })

  it.each([true, false])(
    '[N6] a line of 300 MB takes bounded memory and fails its call (id first: %s)',
    async (first) => {
      const { client, errors } = await open(misbehaving())
      await client.listTools()
      let most = 0
      const before = process.memoryUsage().rss
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 5)
      onTestFinished(() => clearInterval(watch))
      // A peak holds what the collector has not swept yet, too: what is needed is the least of three, above the same floor.
      const peaks: number[] = []
      for (let run = 1; run <= 3; run++) {
        most = 0
        const error = await failureOf(client.call('a-long-line', { megabytes: 300, first }))
        peaks.push(most)
        expect(error.isTooLarge()).toBe(true)
        expect(error.isOutcomeUnknown()).toBe(true)
        expect((await client.call('echo', { message: 'after it' })).text).toBe('after it')
        expect(errors).toHaveLength(run)
      }
      expect(Math.min(...peaks)).toBeLessThan(150 << 20)
      for (const { message } of errors) expect(message).toContain('16777216 bytes in one line')
    },
  )

  it('[N6] a long line with an id that is none harms nobody', async () => {
    const uncaught = vi.fn()
    process.prependListener('uncaughtException', uncaught)
    onTestFinished(() => void process.off('uncaughtException', uncaught))
    const { client, errors } = await open(misbehaving([], { maxMessageBytes: 1000 }))
    for (const id of ['"\\x"', '"\t"', '007']) {
      expect((await client.call('print', { line: `{"id":${id},"x":"${'x'.repeat(2000)}"}` })).text).toBe('printed')
    }
    expect(errors).toHaveLength(3)
    expect(uncaught).not.toHaveBeenCalled()
  })

  it('[N6] nothing that reading its output throws leaves the transport', async () => {
    const { client, errors } = await open(misbehaving())
    const feed = vi.spyOn(LineReader.prototype, 'feed').mockImplementationOnce(() => {
      throw new Error('Cannot create a string longer than 0x1fffffe8 characters')
    })
    onTestFinished(() => feed.mockRestore())
    const stop = new AbortController()
    const unread = client.call('echo', { message: 'unread' }, { signal: stop.signal })
    await expect.poll(() => errors.length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(unread).rejects.toThrow('enough')
    expect((await client.call('echo', { message: 'read' })).text).toBe('read')
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('could not be read')])
  })

  it('[N6] the bound is exact, and can be set', async () => {
    const { client } = await open(misbehaving([], { maxMessageBytes: 4 << 20 }))
    expect((await client.call('a-long-line', { megabytes: 3 })).text).toHaveLength(3 << 20)
    expect((await failureOf(client.call('a-long-line', { megabytes: 4 }))).isTooLarge()).toBe(true)
  })

  it('[N6] answers for nobody reach nobody, the first answer counts', async () => {
    const { client, errors } = await open(misbehaving())
    expect((await client.call('answer-nobody')).text).toBe('done')
    expect((await client.call('echo', { message: 'x' })).text).toBe('x')
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('refused a message: Parse error')])
  })

  it('[N6] such answers do not leave the transport either', async () => {
    const transport = misbehaving()
    const delivered: unknown[] = []
    const last = new Promise<void>((resolve) => {
      transport.onmessage = (message) => {
        const { id } = message as { id: unknown }
        delivered.push(id)
        if (id === 2) resolve()
      }
    })
    await transport.start()
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'answer-nobody' } })
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo', arguments: {} } })
    await last
    expect(delivered).toEqual([1, 2])
  })

  it('[N6] a log that nobody reads does not stop it', async () => {
    const { client, transport } = await open(misbehaving([], { stderr: 'pipe' }))
    expect((await client.call('log', { lines: 5000 })).text).toBe('logged')
    const { readableLength, writableLength } = transport.stderr as PassThrough
    expect(readableLength + writableLength).toBeLessThan(200_000)
  })
})

describe('a program that does not listen', () => {
  it('[N8] send() waits until the message is taken, and close() ends it within the grace', async () => {
    const transport = misbehaving(['deaf'], { graceMs: 300 })
    await transport.start()
    const text = 'x'.repeat(4 << 20)
    let sent = false
    const sending = transport
      .send({ jsonrpc: '2.0', method: 'notifications/long', params: { text } })
      .finally(() => (sent = true))
    const unsent = failureOf(sending)
    // Two more turns of the loop than a pipe that is read would need.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(sent).toBe(false)
    const { ms } = await timed(() => transport.close())
    expect((await unsent).reason).toBe('closed')
    expect(ms).toBeLessThan(30_000)
    await expectGone(transport.pid ?? 0)
  })

  it('[N8] is not sent more than it may have to read: what waits is bounded, and says so at once', async () => {
    const transport = misbehaving(['deaf'], { graceMs: 300, maxMessageBytes: 1 << 20 })
    const failures: MCPError[] = []
    transport.onmessage = (_message, extra) => void failures.push((extra as { failure: MCPError }).failure)
    await transport.start()
    const params = { name: 'echo', arguments: { text: 'x'.repeat(1 << 19) } }
    for (let id = 0; id < 100; id++) void transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params })
    // A few are taken: by the pipe, and up to the bound.
    await expect.poll(() => failures.length).toBeGreaterThan(90)
    expect(failures[0]).toMatchObject({ reason: 'network', method: 'tools/call' })
    expect(failures[0]?.message).toMatch(/does not read what it is sent: \d+ bytes wait for it/)
    expect(failures[0]?.isOutcomeUnknown()).toBe(false)
    const told = await failureOf(transport.send({ jsonrpc: '2.0', method: 'notifications/any' }))
    expect(told.message).toContain('does not read')
    await transport.close()
  })

  it('[N8] a call that was not taken whole did not run', async () => {
    const transport = misbehaving(['deaf'], { graceMs: 10_000 })
    const delivered = vi.fn()
    transport.onmessage = delivered
    await transport.start()
    const params = { name: 'echo', arguments: { text: 'x'.repeat(4 << 20) } }
    const sending = transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    process.kill(transport.pid ?? 0, 'SIGKILL')
    await sending
    expect(delivered).toHaveBeenCalledTimes(1)
    const [message, { failure }] = delivered.mock.calls[0] as [{ id: number }, { failure: MCPError }]
    expect(message.id).toBe(1)
    expect(failure).toMatchObject({ reason: 'network', method: 'tools/call' })
    expect(failure.message).toContain('is not running: it was ended by SIGKILL')
    expect(failure.isOutcomeUnknown()).toBe(false)
  })

  it('[N8] a call that was taken before one that was not may have run', async () => {
    const transport = misbehaving()
    const failures = new Map<number, MCPError>()
    transport.onmessage = (message, extra) =>
      void failures.set((message as { id: number }).id, (extra as { failure: MCPError }).failure)
    await transport.start()
    const text = 'x'.repeat(4 << 20)
    await Promise.all([
      // They wait for it together, and together they must not be written.
      transport.send({ jsonrpc: '2.0', method: 'notifications/long', params: { text } }),
      transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'exit', arguments: { code: 4 } } }),
      transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text } } }),
    ])
    await expect.poll(() => failures.size).toBe(2)
    expect(failures.get(1)?.isOutcomeUnknown()).toBe(true)
    expect(failures.get(2)?.isOutcomeUnknown()).toBe(false)
  })

  it('[N8] what cannot be written as JSON is refused and waited for by nobody', async () => {
    const transport = misbehaving()
    const delivered = vi.fn()
    transport.onmessage = delivered
    await transport.start()
    const { signal } = new AbortController()
    const listen = vi.spyOn(signal, 'addEventListener')
    const params = { name: 'echo', arguments: { message: 1n } }
    await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { signal })).rejects.toThrow(
      TypeError,
    )
    expect(listen).not.toHaveBeenCalled()
    await transport.close()
    expect(delivered).not.toHaveBeenCalled()
  })

  it('[N7] one that ignores the end of its input and SIGTERM is made to end', async () => {
    const { client, transport } = await open(misbehaving(['stubborn'], { graceMs: 300 }))
    const other = await startAnother(client)
    const { pid = 0 } = transport
    const { ms } = await timed(() => client.close())
    expect(ms).toBeGreaterThan(500)
    expect(ms).toBeLessThan(30_000)
    await expectGone(pid)
    await expectGone(other)
  })
})

describe('closing', () => {
  it('[N7] twice is fine, onclose is called once, calls under way end as closed', async () => {
    const { client, transport } = await open(misbehaving())
    const closed = vi.fn()
    const before = transport.onclose
    transport.onclose = () => {
      before?.()
      closed()
    }
    const pending = failureOf(client.call('silence'))
    await client.call('echo', { message: 'both were sent' })
    await Promise.all([client.close(), transport.close(), transport.close()])
    expect(closed).toHaveBeenCalledTimes(1)
    const error = await pending
    expect(error.reason).toBe('closed')
    expect(error.isOutcomeUnknown()).toBe(true)
  })

  it('[N7] while it starts is fine too', async () => {
    const transport = misbehaving()
    const started = transport.start()
    await transport.close()
    await started
    await expectGone(transport.pid ?? 0)
  })

  it('[N3] an abort before the message is sent sends nothing', async () => {
    const { client } = await open(misbehaving())
    await expect(client.call('exit', {}, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    expect((await client.call('cancelled')).data).toEqual([])
  })

  it('[N3] an abort after the answer tells the server nothing', async () => {
    const { client } = await open(misbehaving())
    const stop = new AbortController()
    await client.call('echo', { message: 'x' }, { signal: stop.signal })
    stop.abort()
    expect((await client.call('cancelled')).data).toEqual([])
  })

  it('[N3] a signal that outlives its request tells nothing, and is not listened to any more', async () => {
    const transport = misbehaving()
    const { signal, abort } = listened()
    const answers: unknown[] = []
    let arrived = (): void => {}
    transport.onmessage = (message) => {
      answers.push(message)
      arrived()
    }
    const ask = async (id: number, name: string, options = {}) => {
      const answered = new Promise<void>((resolve) => (arrived = resolve))
      await transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } }, options)
      await answered
    }
    await transport.start()
    await ask(1, 'echo', { signal })
    expect(signal.removeEventListener).toHaveBeenCalledTimes(1)
    abort()
    await ask(2, 'cancelled')
    expect(answers.at(-1)).toMatchObject({ result: { content: [{ text: '[]' }] } })
  })

  it('[N3] a server of the session era is told of an abort once', async () => {
    const { client } = await open(misbehaving())
    const stop = new AbortController()
    const call = client.call('silence', {}, { signal: stop.signal })
    await client.call('echo', { message: 'x' })
    stop.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    expect((await client.call('cancelled')).data).toHaveLength(1)
  })
})

describe('what a program gets to know', () => {
  it('[N9] is what it needs to run, and what it was given', async () => {
    vi.stubEnv('SWITCHBOARD_SECRET', 'do not tell')
    vi.stubEnv('TERM', '() { echo code; }')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { client } = await open(misbehaving([], { env: { GIVEN: 'told', TZ: 'Asia/Tokyo' } }))
    const { data } = await client.call('environment')
    expect(data).toMatchObject({ GIVEN: 'told', TZ: 'Asia/Tokyo', PATH: process.env['PATH'] })
    const allowed = ['GIVEN', 'HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TMPDIR', 'TZ', 'USER']
    expect(Object.keys(data as object).filter((name) => !allowed.includes(name))).toEqual([])
    expect(JSON.stringify(data)).not.toContain('do not tell')
  })

  it('[N9] runs by a shell only when told so', async () => {
    const words = 'a b; echo $HOME'
    const { client } = await open(misbehaving())
    expect((await client.call('echo', { message: words })).text).toBe(words)
    const shelled = new StdioTransport({ command: 'exit 5; true', shell: true })
    const error = await failureOf(createMCPClient({ transport: shelled }))
    expect(error.message).toContain('code 5')
    const plain = new StdioTransport({ command: 'exit 5; true' })
    expect((await failureOf(plain.start())).message).toContain('no such program')
  })
})

/** Runs a program of ours in which `transport` is started and whose server does not look at its input. */
async function runHost(deed: string): Promise<{ stdout: string; signal: string | undefined }> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { StdioTransport } from '@switchboard/mcp/stdio'
        const transport = new StdioTransport({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] })
        await transport.start()
        ${deed}
      `,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['switchboard-source'],
    write: false,
  })
  const folder = await mkdtemp(join(tmpdir(), 'stdio-end-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const script = join(folder, 'ends.mjs')
  await writeFile(script, outputFiles[0]?.text ?? '')
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { timeout: 20_000 }, (error, stdout) =>
      resolve({ stdout, signal: error?.signal ?? undefined }),
    )
  })
}

describe('our own end', () => {
  it('[N7] without closing takes the program along, also one that does not look at its input', async () => {
    const { stdout } = await runHost('process.stdout.write(String(transport.pid), () => process.exit(0))')
    expect(Number(stdout)).toBeGreaterThan(0)
    await expectGone(Number(stdout))
  })

  it('[N7] takes along what a program left behind that does not end when asked', async () => {
    const stubborn = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); process.send(1)'
    const leaves = `
      const { spawn } = require('node:child_process')
      const other = spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      other.once('message', () => {
        console.log(JSON.stringify({ jsonrpc: '2.0', method: 'left', params: { pid: other.pid } }))
        process.exit(1)
      })`
    const { stdout } = await runHost(`
      const leaving = new StdioTransport({ command: process.execPath, args: ['-e', ${JSON.stringify(leaves)}], graceMs: 60_000 })
      let pid
      leaving.onmessage = ({ params }) => (pid = params.pid)
      leaving.onclose = () => process.stdout.write(String(pid), () => process.exit(1))
      await leaving.start()
    `)
    const pid = Number(stdout)
    expect(pid).toBeGreaterThan(0)
    endAfterTest(pid)
    await expectGone(pid)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
    '[N7] by %s takes it along, and stays an end by that signal',
    async (name) => {
      const { stdout, signal } = await runHost(
        `process.stdout.write(String(transport.pid), () => process.kill(process.pid, '${name}'))`,
      )
      const pid = Number(stdout)
      expect(pid).toBeGreaterThan(0)
      endAfterTest(pid)
      expect(signal).toBe(name)
      await expectGone(pid)
    },
  )

  it('[N7] a signal that somebody else listens to is theirs: they see no listener of ours, and the program runs on', async () => {
    const { stdout, signal } = await runHost(`
      const seen = []
      const hear = () => {
        seen.push(process.listenerCount('SIGINT'))
        setTimeout(() => {
          if (seen.length < 2) return process.kill(process.pid, 'SIGINT')
          let running = true
          try { process.kill(transport.pid, 0) } catch { running = false }
          process.stdout.write(JSON.stringify({ seen, running, pid: transport.pid }), () => {
            process.off('SIGINT', hear)
            process.kill(process.pid, 'SIGINT')
          })
        }, 100)
      }
      process.on('SIGINT', hear)
      process.kill(process.pid, 'SIGINT')
    `)
    const { seen, running, pid } = JSON.parse(stdout) as { seen: number[]; running: boolean; pid: number }
    endAfterTest(pid)
    expect(seen).toEqual([1, 1])
    expect(running).toBe(true)
    // Theirs is taken off: the last one is ours.
    expect(signal).toBe('SIGINT')
    await expectGone(pid)
  })
})
