import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { CallToolResult, SavedTask } from '@switchboard/mcp'
import { type RealServers, startRealServers } from '@switchboard/testkit/real-servers'
import { startTaskServer, type TaskServer } from '@switchboard/testkit/task-server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildLibrary } from '../../../demo-server/test/demo.ts'
import { textOf } from '../interop/surroundings.ts'

const program = fileURLToPath(new URL('task-program.mjs', import.meta.url))

let library: Awaited<ReturnType<typeof buildLibrary>>
let tasks: TaskServer
let real: RealServers

beforeAll(async () => {
  library = await buildLibrary()
  tasks = await startTaskServer()
  real = await startRealServers(['everything'])
})
afterAll(async () => {
  await tasks?.close()
  await real?.stop()
  await library?.remove()
})

interface Line {
  what: 'saved' | 'question' | 'status' | 'result'
  value: any
}

/** Runs the program until it prints what is waited for; it prints on until it ends or is ended. */
async function run(order: object, until: (line: Line) => boolean): Promise<{ child: ChildProcess; lines: Line[] }> {
  const child = spawn(process.execPath, [program, library.folder, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: Line[] = []
  for await (const text of createInterface({ input: child.stdout! })) {
    const line = JSON.parse(text) as Line
    lines.push(line)
    if (until(line)) return { child, lines }
  }
  throw new Error(`It ended after ${JSON.stringify(lines)}`)
}

/** Ends it as a crash would: no signal that it could hear, no good-bye. */
async function kill({ child, lines }: { child: ChildProcess; lines: Line[] }): Promise<SavedTask> {
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return lines.findLast(({ what }) => what === 'saved')!.value as SavedTask
}

async function resultOf(
  order: object,
  online: (line: Line) => void = () => {},
): Promise<{ result: CallToolResult; lines: Line[] }> {
  const { lines, child } = await run(order, (line) => {
    online(line)
    return line.what === 'result'
  })
  if (child.exitCode === null) await once(child, 'exit')
  return { result: lines.at(-1)!.value as CallToolResult, lines }
}

const isQuestion = ({ what }: Line): boolean => what === 'question'

describe('a process is killed, and another one goes on with its task', () => {
  it('[K11] without sessions, while the task works', async () => {
    const { url } = tasks
    const release = tasks.hold()
    onTestFinished(release)
    const start = { name: 'work', arguments: { steps: 20, stepMs: 100 } }
    // As soon as there is something to save.
    const resume = await kill(await run({ url, start }, ({ what }) => what === 'saved'))
    const { result, lines } = await resultOf({ url, resume }, ({ what }) => {
      if (what === 'status') release()
    })
    expect(lines[0]).toEqual({ what: 'status', value: 'working' })
    expect(textOf(result)).toBe('Done {}')
    expect(tasks.of('tools/call')).toHaveLength(1)
  })

  it('[K11] without sessions, while the user thinks about the second question: the first is not asked again', async () => {
    const { url } = tasks
    const start = { name: 'work', arguments: { steps: 1, ask: 2 } }
    const order = { url, start, answer: { word: 'one' }, answers: 1 }
    const resume = await kill(await run(order, ({ value }) => value === 'Question 2?'))
    expect(Object.keys(resume.answered)).toEqual(['q1'])
    const { result, lines } = await resultOf({ url, resume, answer: { word: 'two' } })
    expect(lines.filter(isQuestion).map(({ value }) => value)).toEqual(['Question 2?'])
    expect(result.structuredContent).toEqual({
      answers: {
        q1: { action: 'accept', content: { word: 'one' } },
        q2: { action: 'accept', content: { word: 'two' } },
      },
    })
  })

  it('[K11] with sessions, while the task works', async () => {
    const url = real.addresses.everything
    const start = { name: 'simulate-research-query', arguments: { topic: 'kites' } }
    const resume = await kill(await run({ url, start }, ({ what }) => what === 'saved'))
    expect(resume.session?.sessionId).toMatch(/./)
    const { result, lines } = await resultOf({ url, resume })
    // It works for four seconds, in which the other process may or may not have begun.
    expect(lines[0]).toEqual({ what: 'status', value: expect.stringMatching(/^(working|completed)$/) as string })
    expect(textOf(result)).toContain('kites')
  })

  it('[K11] with sessions, while the user thinks: the open question is asked again, though the server does not', async () => {
    const url = real.addresses.everything
    const start = { name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true } }
    const resume = await kill(await run({ url, start }, isQuestion))
    expect(resume).toMatchObject({ status: 'input_required', questions: [{ method: 'elicitation/create' }] })
    const { result, lines } = await resultOf({ url, resume, answer: { interpretation: 'snake' } })
    expect(lines.filter(isQuestion)).toHaveLength(1)
    expect(textOf(result)).toContain('snake')
  })
})
