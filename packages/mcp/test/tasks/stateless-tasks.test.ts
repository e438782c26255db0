import type { MCPError } from '@switchboard/mcp'
import { startTaskServer, type TaskServer, type Work } from '@switchboard/testkit/task-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { textOf } from '../interop/surroundings.ts'
import { connectTo, saidBy } from './task-promises.ts'

const EXTENSION = 'io.modelcontextprotocol/tasks'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

async function serverOf(options?: Parameters<typeof startTaskServer>[0]): Promise<TaskServer> {
  const server = await startTaskServer(options)
  onTestFinished(() => server.close())
  return server
}
const work = (more: Work) => ({ name: 'work', arguments: { ...more } as Record<string, unknown> })
/** What a deed comes to whose task does not end before the server has seen this. */
async function heldUntil<T>(server: TaskServer, seen: () => boolean, deed: () => Promise<T>): Promise<T> {
  const release = server.hold()
  const done = deed()
  try {
    await expect.poll(seen).toBe(true)
  } finally {
    release()
    await done.catch(() => {})
  }
  return done
}
const failureOf = (promise: Promise<unknown>): Promise<MCPError> =>
  promise.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as MCPError,
  )

describe('the end of a task', () => {
  it('[K13] a tool that failed is a result; a task that failed is an error with the code and the data of the server', async () => {
    const client = await connectTo((await serverOf()).url)
    const refused = await client.callTool(work({ steps: 1, outcome: 'tool-error' }))
    expect(refused).toMatchObject({ isError: true, content: [{ text: 'The tool says no' }] })
    const task = await client.startTask(work({ steps: 1, outcome: 'fail' }))
    const error = await failureOf(task.result())
    expect(error).toMatchObject({ reason: 'rpc', code: -32055, data: { why: 'asked to' } })
    expect(error.message).toMatch(/^tools\/call work at http.* failed: It broke$/)
    expect(task.status).toBe('failed')
    // As often as one asks.
    expect(await failureOf(task.result())).toBe(error)
  })

  it('[K6] a task that the server forgot is expired, and nobody knows whether it ran', async () => {
    const client = await connectTo((await serverOf({ push: false })).url)
    const task = await client.startTask(work({ steps: 50, ttlMs: 500 }))
    const error = await failureOf(task.result())
    expect(error.reason).toBe('expired')
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(task.status).toBe('expired')
  })

  it('[K10] a task that was asked to stop and succeeded all the same has its result', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url)
    const release = server.hold()
    const task = await client.startTask(work({ steps: 4, stubborn: true }))
    await task.cancel()
    expect(task.cancelRequested).toBe(true)
    release()
    expect(textOf(await task.result())).toBe('Done {}')
    expect(task.status).toBe('completed')
  })
})

describe('a plain call that becomes a task', () => {
  it('[K2] is cancelled at the server, once, when its caller aborts', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url)
    const stop = new AbortController()
    const reason = new Error('enough')
    const options = { signal: stop.signal, onProgress: () => stop.abort(reason) }
    await expect(client.callTool({ ...work({ steps: 100 }), options })).rejects.toBe(reason)
    await expect.poll(() => server.of('tasks/cancel').length).toBe(1)
    const looks = server.of('tasks/get').length
    await client.callTool({ name: 'quick' })
    expect(server.of('tasks/get').length - looks).toBeLessThan(2)
    expect(server.of('notifications/cancelled')).toEqual([])
  })

  it('[K12] that is not over in time goes on: the error holds what is needed to come back to it', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url)
    const release = server.hold()
    const error = await failureOf(client.callTool({ ...work({ steps: 4 }), options: { maxTotalTimeout: 2000 } }))
    release()
    expect(error.isTimeout()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(true)
    const saved = JSON.parse(JSON.stringify(error.task))
    const task = await client.resumeTask(saved)
    expect(textOf(await task.result())).toBe('Done {}')
    expect(server.of('tasks/cancel')).toEqual([])
  })

  it('[K8] fails when the task asks what this client cannot answer, and can be gone on with by one that can', async () => {
    const server = await serverOf()
    const mute = await connectTo(server.url)
    const error = await failureOf(mute.callTool(work({ steps: 1, ask: 1 })))
    expect(error.message).toContain('asks for elicitation/create, which this client does not offer')
    const able = await connectTo(server.url, {
      onElicitationRequest: () => ({ action: 'accept', content: { word: 'yes' } }),
    })
    const task = await able.resumeTask(error.task!)
    expect(textOf(await task.result())).toContain('"word":"yes"')
  })
})

describe('what the server is told', () => {
  it('[K4] only requests that can become or concern a task say that this client knows tasks', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url)
    await client.listTools()
    await heldUntil(
      server,
      () => server.of('subscriptions/listen').length > 0 && server.of('tasks/get').length > 0,
      () => client.callTool(work({ steps: 1 })),
    )
    const declaring = server.requests.filter(({ params }) => params['_meta']?.[CAPABILITIES]?.extensions?.[EXTENSION])
    const methods = (requests: { method: string }[]) => [...new Set(requests.map(({ method }) => method))].sort()
    expect(methods(declaring)).toEqual(['subscriptions/listen', 'tasks/get', 'tools/call'])
    expect(methods(server.requests.filter((request) => !declaring.includes(request)))).toEqual([
      'server/discover',
      'tools/list',
    ])
  })

  it('[K4] with tasks: false nothing of it is said, and a tool that runs only as a task says so', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url, { tasks: false })
    const error = await failureOf(client.callTool(work({ steps: 1 })))
    expect(error).toMatchObject({ code: -32021 })
    expect(error.message).toContain('runs only as a task: call startTask')
    expect(textOf(await client.callTool({ name: 'quick' }))).toBe('at once')
    expect(textOf(await (await client.startTask(work({ steps: 1 }))).result())).toBe('Done {}')
  })

  it('[A2.14] a task that nobody asked for is an error, and the call may have run', async () => {
    const client = await connectTo((await serverOf()).url, { tasks: false })
    const error = await failureOf(client.callTool(work({ rude: true })))
    expect(error.reason).toBe('protocol')
    expect(error.isOutcomeUnknown()).toBe(true)
  })
})

describe('the pace', () => {
  /** How long each look came after the one before, the first one after the call. */
  const gapsAt = (server: TaskServer): number[] => {
    const looks = server.of('tasks/get').map(({ at }) => at)
    const began = server.of('tools/call')[0]!.at
    expect(looks).not.toEqual([])
    return looks.map((at, index) => at - (looks[index - 1] ?? began))
  }

  it('[K5] a task is looked at no more often than its server wants', async () => {
    const server = await serverOf({ push: false })
    const client = await connectTo(server.url)
    await heldUntil(
      server,
      () => server.of('tasks/get').length > 2,
      () => client.callTool(work({ steps: 1, pollIntervalMs: 400 })),
    )
    // A timer may be a little early, a machine late.
    expect(Math.min(...gapsAt(server))).toBeGreaterThan(380)
  })

  it('[K5] an app can slow it down, not speed it up', async () => {
    const server = await serverOf({ push: false })
    const client = await connectTo(server.url)
    const slow = await client.startTask({ ...work({ steps: 3, pollIntervalMs: 100 }), pollIntervalMs: 900 })
    await slow.result()
    expect(Math.min(...gapsAt(server))).toBeGreaterThan(880)
  })

  it('[K6] a server that is too busy is left alone for as long as it says, and no look that fails ends the task', async () => {
    const server = await serverOf({ push: false })
    const client = await connectTo(server.url, { maxRetries: 0 })
    server.refuse('tasks/get', 2, 429, { 'retry-after': '1' })
    const task = await client.startTask(work({ steps: 1, pollIntervalMs: 100 }))
    expect(textOf(await task.result())).toBe('Done {}')
    const [first, second, third] = server.of('tasks/get').map(({ at }) => at)
    expect(second! - first!).toBeGreaterThan(990)
    expect(third! - second!).toBeGreaterThan(990)
  })

  it('[K6] a server that is down for a while is found again', async () => {
    const server = await serverOf({ push: false })
    const client = await connectTo(server.url, { maxRetries: 0 })
    server.refuse('tasks/get', 2, 502)
    const task = await client.startTask(work({ steps: 1, pollIntervalMs: 100 }))
    expect(textOf(await task.result())).toBe('Done {}')
    expect(server.of('tasks/get')).toHaveLength(3)
  })
})

describe('changes that the server tells', () => {
  it('[K7] arrive without a look, results and questions too', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url, {
      onElicitationRequest: () => ({ action: 'accept', content: { word: 'pushed' } }),
    })
    const { said, onUpdate } = saidBy()
    const task = await client.startTask({
      // Its first step is after its stream, also where that takes a while.
      ...work({ steps: 1, stepMs: 2500, ask: 1, pollIntervalMs: 25_000 }),
      onUpdate,
    })
    expect(textOf(await task.result())).toContain('"word":"pushed"')
    expect(said).toEqual([
      'working: Begun',
      'working: step 1 of 1',
      'input_required: I need an answer',
      'working: Thank you',
      'completed: Done',
    ])
    // One, when the stream stood: what changed before it did, nobody would tell.
    expect(server.of('tasks/get')).toHaveLength(1)
  })

  it('[K7] a server that tells nothing is asked for it once, and looked at instead', async () => {
    const server = await serverOf({ push: false })
    const client = await connectTo(server.url)
    await heldUntil(
      server,
      () => server.of('tasks/get').length > 2,
      () => client.callTool(work({ steps: 1 })),
    )
    expect(server.of('subscriptions/listen')).toHaveLength(1)
  })

  it('[K7] one stream tells of all tasks, however many there are', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url)
    const listens = () => server.of('subscriptions/listen')
    const tasks = await heldUntil(
      server,
      () => listens().at(-1)?.params['notifications'].taskIds.length === 20,
      () => Promise.all(Array.from({ length: 20 }, (_, index) => client.startTask(work({ steps: 1 + (index % 4) })))),
    )
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(20)
    const results = await Promise.all(tasks.map((task) => task.result()))
    expect(results.map(textOf)).toEqual(Array.from({ length: 20 }, () => 'Done {}'))
    // Those that start together share one; how many do depends on the machine.
    expect(listens().length).toBeLessThan(20)
  })
})

describe('questions of a task', () => {
  it('[K8] that are asked together are answered together, each once', async () => {
    const server = await serverOf()
    const asked: string[] = []
    const client = await connectTo(server.url, {
      onElicitationRequest: ({ params }) => {
        asked.push(params.message)
        return { action: 'accept', content: { word: params.message } }
      },
    })
    await client.callTool(work({ steps: 1, ask: 3, askAtOnce: true, pollIntervalMs: 100 }))
    expect(asked).toEqual(['Question 1?', 'Question 2?', 'Question 3?'])
    const updates = server.of('tasks/update')
    expect(updates).toHaveLength(1)
    expect(Object.keys(updates[0]!.params['inputResponses'])).toEqual(['q1', 'q2', 'q3'])
  })

  it('[K8] an answer that did not get through is given again, without asking again', async () => {
    const server = await serverOf()
    let asked = 0
    const client = await connectTo(server.url, {
      maxRetries: 0,
      onElicitationRequest: () => ({ action: asked++ ? 'cancel' : 'decline' }),
    })
    server.refuse('tasks/update', 2, 502)
    const result = await client.callTool(work({ steps: 1, ask: 1 }))
    expect(textOf(result)).toBe('Done {"q1":{"action":"decline"}}')
    expect(asked).toBe(1)
    expect(server.of('tasks/update')).toHaveLength(3)
  })

  it('[K8] a slow answer is asked for once, however often the question is shown', async () => {
    const server = await serverOf({ push: false })
    let asked = 0
    const client = await connectTo(server.url, {
      onElicitationRequest: async () => {
        asked++
        const looks = server.of('tasks/get').length
        await expect.poll(() => server.of('tasks/get').length).toBeGreaterThan(looks + 3)
        return { action: 'decline' }
      },
    })
    const result = await client.callTool(work({ steps: 1, ask: 1, pollIntervalMs: 100 }))
    expect(textOf(result)).toBe('Done {"q1":{"action":"decline"}}')
    expect(asked).toBe(1)
  })

  it('[K8] without a handler the task waits, which is reported once; it goes on when there is one', async () => {
    const reported: unknown[] = []
    const server = await serverOf({ push: false })
    const client = await connectTo(server.url, { onUncaughtError: (error) => reported.push(error) })
    const task = await client.startTask(work({ steps: 1, ask: 1, pollIntervalMs: 100 }))
    await expect.poll(() => task.status).toBe('input_required')
    const looks = server.of('tasks/get').length
    await expect.poll(() => server.of('tasks/get').length).toBeGreaterThan(looks + 2)
    expect(reported.map(String)).toEqual([expect.stringContaining('asks for elicitation/create')])
    client.onElicitationRequest(() => ({ action: 'accept', content: { word: 'late' } }))
    expect(textOf(await task.result())).toContain('late')
  })

  it('[K8] a handler that threw gets a second chance', async () => {
    const reported: unknown[] = []
    let asked = 0
    const client = await connectTo((await serverOf()).url, {
      onUncaughtError: (error) => reported.push(error),
      onElicitationRequest: () => {
        if (++asked === 1) throw new Error('slipped')
        return { action: 'accept', content: { word: 'second' } }
      },
    })
    const task = await client.startTask(work({ steps: 1, ask: 1, pollIntervalMs: 100 }))
    expect(textOf(await task.result())).toContain('second')
    expect(reported.map(String)).toEqual(['Error: slipped'])
  })

  it('[K10] a question is taken back when the task is cancelled', async () => {
    let taken: AbortSignal | undefined
    const client = await connectTo((await serverOf()).url, {
      onElicitationRequest: (_request, { signal }) => {
        taken = signal
        return new Promise(() => {})
      },
    })
    const task = await client.startTask(work({ steps: 1, ask: 1 }))
    await expect.poll(() => taken).toBeDefined()
    await task.cancel()
    expect(taken?.aborted).toBe(true)
    await expect(task.result()).rejects.toMatchObject({ reason: 'cancelled' })
  })
})

describe('leaving', () => {
  it('[K12] a task that is left goes on at the server, and is the same when one comes back', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url)
    const task = await client.startTask(work({ steps: 3, stepMs: 200 }))
    const saved = task.save()!
    expect(await client.resumeTask(saved)).toBe(task)
    task.detach()
    await expect(task.result()).rejects.toMatchObject({ reason: 'closed', task: { taskId: task.id } })
    const again = await client.resumeTask(saved)
    expect(again).not.toBe(task)
    expect(textOf(await again.result())).toBe('Done {}')
    expect(server.of('tasks/cancel')).toEqual([])
  })

  it('[K12] closing the client cancels nothing', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url)
    const task = await client.startTask(work({ steps: 50 }))
    await client.close()
    const error = await failureOf(task.result())
    expect(error).toMatchObject({ reason: 'closed', task: { taskId: task.id, name: 'work', version: 1 } })
    // Who reads a log must not be able to end it.
    expect(JSON.stringify(error)).not.toContain(task.id)
    expect(Object.keys(error)).not.toContain('task')
    expect(server.of('tasks/cancel')).toEqual([])
  })

  it('[K1] a wait for the result can be given up without giving up the task', async () => {
    const client = await connectTo((await serverOf()).url)
    const task = await client.startTask(work({ steps: 2 }))
    const reason = new Error('later')
    await expect(task.result({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(textOf(await task.result())).toBe('Done {}')
  })

  it('[K6] a task that one may not look at any more is left, and can be gone on with', async () => {
    const server = await serverOf({ push: false })
    const client = await connectTo(server.url)
    server.refuse('tasks/get', 1, 401)
    const error = await failureOf(client.callTool(work({ steps: 2 })))
    expect(error.isUnauthorized()).toBe(true)
    expect(textOf(await (await client.resumeTask(error.task!)).result())).toBe('Done {}')
  })

  it('[K10] the first who hears of a task can cancel it, or leave it', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url)
    const cancelled = await client.startTask({
      ...work({ steps: 100 }),
      onUpdate: (task) => void (task.cancelRequested || task.cancel()),
    })
    await expect(cancelled.result()).rejects.toMatchObject({ reason: 'cancelled' })
    const left = await client.startTask({ ...work({ steps: 1 }), onUpdate: (task) => task.detach() })
    await expect(left.result()).rejects.toMatchObject({ reason: 'closed' })
    expect(server.of('tasks/cancel')).toHaveLength(1)
  })

  it('[K11] what was saved belongs to its server', async () => {
    const [one, other] = [await serverOf(), await serverOf()]
    const task = await (await connectTo(one.url)).startTask(work({ steps: 1 }))
    const stranger = await connectTo(other.url)
    await expect(stranger.resumeTask(task.save()!)).rejects.toThrow(TypeError)
    await expect(stranger.resumeTask({} as never)).rejects.toThrow('Needs what save() returned')
    expect(other.of('tasks/get')).toEqual([])
  })

  it('[K6] a task that cannot be reached is expired a minute after its time, and not before', async () => {
    const server = await serverOf({ push: false })
    const client = await connectTo(server.url, { maxRetries: 0 })
    const task = await client.startTask(work({ steps: 20 }))
    const saved = task.save()!
    task.detach()
    server.refuse('tasks/get', 2, 502)
    const ago = (ms: number) => ({ ...saved, seenAt: Date.now() - saved.ttlMs! - ms })
    const waiting = await client.resumeTask(ago(10_000))
    expect(waiting.status).toBe('working')
    waiting.detach()
    const over = await client.resumeTask(ago(61_000))
    expect(over.status).toBe('expired')
    await expect(over.result()).rejects.toThrow('could not be reached before its time was over')
  })

  it('[K6] a task that nobody knows any more comes back as expired', async () => {
    const server = await serverOf()
    const client = await connectTo(server.url)
    const task = await client.startTask(work({ steps: 1 }))
    const saved = { ...task.save()!, taskId: 'forgotten' }
    const lost = await client.resumeTask(saved)
    expect(lost.status).toBe('expired')
    await expect(lost.result()).rejects.toMatchObject({ reason: 'expired' })
  })
})
