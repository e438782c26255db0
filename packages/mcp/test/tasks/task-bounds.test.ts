import { createMCPClient, type JsonObject, type MCPError, type Task } from '@switchboard/mcp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { META, said, ScriptedTransport, type Script } from '../scenarios/scripted-transport.ts'
import { accept, asking, done, failureOf, inTurn, question, stateless, task, withSessions } from './scripted-servers.ts'

const refuse = (code: number) => (): never => {
  throw Object.assign(new Error('refused'), { code })
}
const complete = (): JsonObject => ({ resultType: 'complete' })
const never = () => new Promise<never>(() => {})

/** Tasks t1, t2 and so on, in the order of their calls. */
function numbered(): Script[string] {
  let made = 0
  return () => ({ resultType: 'task', ...task({ taskId: `t${++made}` }) })
}
/** A look at any of them. */
const working: Script[string] = ({ taskId }) => ({ resultType: 'complete', ...task({ taskId }) })

describe('a call that became a task', () => {
  it('[K12] whose looks are refused may have run, and does not look like a tool that is not there', async () => {
    const { client } = await stateless({ 'tasks/get': refuse(-32601) })
    const error = await failureOf(client.callTool({ name: 'pay' }))
    expect(error).toMatchObject({ reason: 'rpc', code: -32601, task: { taskId: 't1' } })
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(error.isToolNotFound()).toBe(false)
    expect(error.message).toMatch(/^tools\/call pay at .*cannot be looked at: .*refused.*It may have run/)
  })

  it('[K8] whose question nobody can answer may have run', async () => {
    const { client } = await stateless({ 'tasks/get': inTurn(asking('q1')) })
    const error = await failureOf(client.callTool({ name: 'pay' }))
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(error.task).toMatchObject({ taskId: 't1' })
  })

  it('[K13] and got the id of another call that is not over fails: it must not have the result of that one', async () => {
    const { client } = await stateless({ 'tasks/get': inTurn(task(), task(), done('of the first')) })
    const begun = await Promise.allSettled([client.startTask({ name: 'first' }), client.startTask({ name: 'second' })])
    expect(begun.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    const [first, second] = begun as [PromiseFulfilledResult<Task>, PromiseRejectedResult]
    expect(second.reason).toMatchObject({ reason: 'protocol', message: expect.stringContaining('of another call') })
    expect((second.reason as MCPError).isOutcomeUnknown()).toBe(true)
    expect(await first.value.result()).toMatchObject(said('of the first'))
  })

  it('[K13] and got the id of a task that was left fails too; after its end the id is free', async () => {
    const { client } = await stateless({ 'tasks/get': inTurn(task(), done()) })
    const first = await client.startTask({ name: 'first' })
    first.detach()
    expect(await failureOf(client.startTask({ name: 'second' }))).toMatchObject({ reason: 'protocol' })
    await (await client.resumeTask(first.save()!)).result()
    expect(await client.callTool({ name: 'third' })).toMatchObject(said('done'))
  })
})

describe('a list of tools for many calls', () => {
  /** A server whose list comes when it is told to. */
  async function slow() {
    let give: (value: unknown) => void = () => {}
    const listed = new Promise((resolve) => (give = resolve))
    const { client, far } = await withSessions({ 'tools/list': () => listed, 'tools/call': () => said('ran') })
    return { client, far, give: () => give({ tools: [{ name: 'plain', inputSchema: { type: 'object' } }] }) }
  }

  it('[K4] ends for nobody when one caller aborts', async () => {
    const { client, far, give } = await slow()
    const stop = new AbortController()
    const reason = new Error('stop the first')
    const first = failureOf(client.callTool({ name: 'plain', options: { signal: stop.signal } }))
    const second = client.callTool({ name: 'plain' })
    await far.until(() => far.of('tools/list').length > 0)
    stop.abort(reason)
    expect(await first).toBe(reason)
    give()
    expect(await second).toMatchObject(said('ran'))
    expect(far.of('tools/list')).toHaveLength(1)
  })

  it('[K4] is waited for by each as long as it wants', async () => {
    const { client, give } = await slow()
    const first = failureOf(client.callTool({ name: 'plain', options: { timeout: 50 } }))
    const second = client.callTool({ name: 'plain' })
    const error = await first
    expect(error.isTimeout()).toBe(true)
    expect(error.isOutcomeUnknown()).toBe(false)
    give()
    expect(await second).toMatchObject(said('ran'))
  })

  it('[K4] that there is none fails no call', async () => {
    const { client } = await withSessions({ 'tools/list': refuse(-32601), 'tools/call': () => said('ran') })
    const results = await Promise.all([client.callTool({ name: 'a' }), client.callTool({ name: 'b' })])
    expect(results).toMatchObject([said('ran'), said('ran')])
  })
})

describe('a wait for what cannot come', () => {
  it('[K6] a task whose connection is gone is left at once, and looked at no more', async () => {
    const { client, far } = await stateless({ 'tasks/get': working })
    const handle = await client.startTask({ name: 'work' })
    far.onclose?.()
    const error = await failureOf(handle.result())
    expect(error).toMatchObject({ reason: 'network', message: expect.stringContaining('the connection is gone') })
    expect(error.isOutcomeUnknown()).toBe(true)
    const looks = far.of('tasks/get').length
    await failureOf((await client.resumeTask(error.task!)).result())
    expect(far.of('tasks/get')).toHaveLength(looks)
  })

  it.each([
    ['a minute after its time it is expired', 20_000, 'expired', 'could not be reached before its time was over'],
    ['without a time it is left', null, 'timeout', 'its result does not come'],
  ])(
    '[K9] a result that a server never gives is not waited for without end: %s',
    async (_what, ttlMs, reason, text) => {
      const { client, far } = await withSessions({
        'tools/call': () => ({ task: { ...task({ ttlMs }), pollInterval: 0 } }),
        'tasks/get': () => task({ ttlMs, status: 'completed' }),
        'tasks/result': never,
      })
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const handle = await client.startTask({ name: 'required' })
      const end = failureOf(handle.result())
      await vi.advanceTimersByTimeAsync(400_000)
      vi.useRealTimers()
      const error = await Promise.race([end, new Promise<undefined>((resolve) => setTimeout(resolve, 1000))])
      expect(error).toMatchObject({ reason, message: expect.stringContaining(text) })
      expect(error?.isOutcomeUnknown()).toBe(true)
      expect(far.of('tasks/result').length).toBeLessThan(10)
    },
  )
})

describe('a stream that tells of tasks', () => {
  /** A server whose first stream stands until it is told to end; what the second is answered with is up to the test. */
  async function twoStreams(second: (acknowledge: (...taskIds: string[]) => void) => unknown) {
    let endFirst: (value: unknown) => void = () => {}
    const signals: AbortSignal[] = []
    const { client, far } = await stateless({
      'tools/call': numbered(),
      'tasks/get': working,
      'subscriptions/listen': (_params, { id }) => {
        const acknowledge = (...taskIds: string[]): void =>
          far.notify('notifications/subscriptions/acknowledged', {
            notifications: { taskIds },
            _meta: { [`${META}subscriptionId`]: id },
          })
        if (far.of('subscriptions/listen').length > 1) return second(acknowledge)
        acknowledge('t1')
        return new Promise((resolve) => (endFirst = resolve))
      },
    })
    const send = far.send.bind(far) as (message: object) => Promise<void>
    Object.assign(far, {
      send: (message: { method?: string }, options?: { signal?: AbortSignal }) => {
        if (message.method === 'subscriptions/listen') signals.push(options!.signal!)
        return send(message)
      },
    })
    const looks = (): number => far.of('tasks/get').filter(({ taskId }) => taskId === 't1').length
    const first = await client.startTask({ name: 'first' })
    await far.until(() => far.of('subscriptions/listen').length > 0)
    const other = await client.startTask({ name: 'second' })
    await far.until(() => far.of('subscriptions/listen').length > 1)
    // The second is looked at all the time: the answer to its stream has arrived.
    const seen = far.of('tasks/get').length
    await far.until(() => far.of('tasks/get').length > seen + 1)
    return { first, other, looks, far, signals, endFirst: () => endFirst(complete()) }
  }

  it('[K7] goes on where another is refused, and when it ends looks come at their pace again', async () => {
    const { looks, endFirst } = await twoStreams(refuse(-32603))
    const before = looks()
    endFirst()
    await expect.poll(looks).toBeGreaterThan(before + 2)
  })

  it('[K7] is closed when its tasks are left, also where another was refused', async () => {
    const { first, other, signals } = await twoStreams(refuse(-32603))
    expect(signals[0]?.aborted).toBe(false)
    first.detach()
    other.detach()
    expect(signals[0]?.aborted).toBe(true)
  })

  it('[K7] a task that the next stream does not tell of is looked at again', async () => {
    const { looks } = await twoStreams((acknowledge) => {
      acknowledge('t2')
      return never()
    })
    const before = looks()
    await expect.poll(looks).toBeGreaterThan(before + 2)
  })
})

describe('questions of a task', () => {
  it('[K8] one whose keys come in another order, or with other notes beside it, is the same', async () => {
    const shown = (params: object) =>
      task({ status: 'input_required', inputRequests: { q1: { method: 'elicitation/create', params } } })
    const schema = { type: 'object', properties: {} }
    let asked = 0
    const { client } = await stateless(
      {
        'tasks/get': inTurn(
          shown({ mode: 'form', message: '?', requestedSchema: schema }),
          shown({ requestedSchema: { properties: {}, type: 'object' }, message: '?', mode: 'form', _meta: { at: 2 } }),
          done(),
        ),
        'tasks/update': complete,
      },
      { onElicitationRequest: () => (asked++, { action: 'accept', content: {} }) },
    )
    expect(await client.callTool({ name: 'work' })).toMatchObject(said('done'))
    expect(asked).toBe(1)
  })

  it('[K8] one nested without end ends the task', async () => {
    let deep: unknown = {}
    for (let depth = 0; depth < 50_000; depth++) deep = { deep }
    const inputRequests = { q1: { method: 'elicitation/create', params: { deep } } }
    const { client } = await stateless(
      { 'tasks/get': inTurn(task({ status: 'input_required', inputRequests })) },
      accept(),
    )
    expect(await failureOf(client.callTool({ name: 'work' }))).toMatchObject({ reason: 'limit' })
  })

  it('[K8] one whose answer the server refuses is asked once more', async () => {
    let asked = 0
    const { client, far } = await stateless(
      {
        'tasks/get': () => ({ ...complete(), ...(far.of('tasks/update').length > 1 ? done() : asking('q1')) }),
        'tasks/update': () => (far.of('tasks/update').length > 1 ? complete() : refuse(-32602)()),
      },
      { onElicitationRequest: () => (asked++, { action: 'accept', content: {} }) },
    )
    expect(await client.callTool({ name: 'work' })).toMatchObject(said('done'))
    expect(asked).toBe(2)
  })

  it('[K8] one whose answer is refused again ends the call, not the task', async () => {
    const { client, far } = await stateless(
      { 'tasks/get': inTurn(asking('q1')), 'tasks/update': refuse(-32602) },
      accept(),
    )
    const error = await failureOf(client.callTool({ name: 'work' }))
    expect(error).toMatchObject({ task: { taskId: 't1' }, message: expect.stringContaining('could not be answered') })
    expect(error.isOutcomeUnknown()).toBe(true)
    expect(far.of('tasks/update')).toHaveLength(2)
    expect(far.of('tasks/cancel')).toEqual([])
  })

  it('[K9] with sessions over 8 at once are refused, and reach nobody', async () => {
    let asked = 0
    const refused: unknown[] = []
    const { client, far } = await withSessions(
      {
        'tasks/get': inTurn(task({ status: 'input_required' })),
        'tasks/result': async () => {
          const _meta = { [`${META}related-task`]: { taskId: 't1' } }
          for (let id = 100; id < 120; id++)
            far.say({ jsonrpc: '2.0', id, ...question('?'), params: { message: '?', _meta } })
          return never()
        },
      },
      { onElicitationRequest: () => (asked++, never()) },
    )
    await client.startTask({ name: 'required' })
    await far.until(() => {
      refused.splice(0, 20, ...far.sent.filter((message) => 'error' in message))
      return refused.length === 12
    })
    expect(refused[0]).toMatchObject({ id: 108, error: { code: -32603 } })
    expect(asked).toBe(8)
  })

  it('[K9] with sessions over 32 in all end the task, however quickly they are answered', async () => {
    let asked = 0
    const { client, far } = await withSessions(
      {
        'tasks/get': inTurn(task({ status: 'input_required' })),
        'tasks/result': async () => {
          const _meta = { [`${META}related-task`]: { taskId: 't1' } }
          for (let id = 100; id < 150; id++) {
            far.say({ jsonrpc: '2.0', id, ...question('?'), params: { message: '?', _meta } })
            await far.until(() => far.sent.some((message) => 'id' in message && message.id === id))
          }
          return never()
        },
      },
      { onElicitationRequest: () => (asked++, { action: 'accept' }) },
    )
    const handle = await client.startTask({ name: 'required' })
    const error = await failureOf(handle.result())
    expect([error.reason, error.isOutcomeUnknown(), asked]).toEqual(['limit', true, 32])
  })
})

describe('what a tool answers', () => {
  it('[A2.14] with sessions a task that nobody asked for is an error, and the call may have run', async () => {
    const unasked: Script = { 'tools/call': () => ({ task: task() }) }
    const { client } = await withSessions(unasked)
    const plain = await createMCPClient({ transport: new ScriptedTransport(unasked) })
    onTestFinished(() => plain.close())
    for (const error of [
      await failureOf(client.callTool({ name: 'forbidden' })),
      await failureOf(plain.callTool({ name: 'any' })),
    ]) {
      expect(error.reason).toBe('protocol')
      expect(error.isOutcomeUnknown()).toBe(true)
    }
  })

  it('[K13] structured content alone is its text too, in a task and beside it', async () => {
    const structured = { structuredContent: { a: 1 } }
    const whole = { ...structured, content: [{ type: 'text', text: '{"a":1}' }] }
    const sessions = await withSessions({ 'tools/call': () => structured })
    expect(await sessions.client.callTool({ name: 'forbidden' })).toMatchObject(whole)
    const without = await stateless({ 'tasks/get': inTurn(task({ status: 'completed', result: structured })) })
    expect(await without.client.callTool({ name: 'work' })).toMatchObject(whole)
  })
})

describe('what an app wants', () => {
  it('[K5] a pace that is no number is refused before anything is called', async () => {
    const { client, far } = await stateless({ 'tasks/get': working })
    await expect(client.startTask({ name: 'work', pollIntervalMs: Number.NaN })).rejects.toThrow(TypeError)
    expect(far.of('tools/call')).toEqual([])
    const saved = (await client.startTask({ name: 'work' })).save()!
    await expect(client.resumeTask(saved, { pollIntervalMs: Number.NaN })).rejects.toThrow(TypeError)
  })

  it('[K11] who comes back to a task need not wait for ever until it is looked at', async () => {
    const first = await stateless({ 'tasks/get': working })
    const saved = (await first.client.startTask({ name: 'work' })).save()!
    const { client, far } = await stateless({ 'tasks/get': never })
    const abort = new AbortController()
    const resumed = client.resumeTask(saved, { signal: abort.signal })
    await far.until(() => far.of('tasks/get').length === 1)
    const reason = new Error('enough')
    abort.abort(reason)
    await expect(resumed).rejects.toBe(reason)
    await expect(client.resumeTask(saved, { signal: abort.signal })).rejects.toBe(reason)
    // It is left: the next who comes back looks anew, and a signal of one does not take it from the other.
    const own = new AbortController()
    const again = client.resumeTask(saved, { signal: own.signal })
    await far.until(() => far.of('tasks/get').length === 2)
    const other = await client.resumeTask(saved)
    own.abort(reason)
    await expect(again).rejects.toBe(reason)
    let left = false
    other.result().catch(() => (left = true))
    await client.ping()
    expect([left, far.of('tasks/cancel')]).toEqual([false, []])
  })

  it('[K11] a task that is resumed tells how it stands before the first look, and keeps the pace that the app wants', async () => {
    const first = await stateless({ 'tasks/get': working })
    const saved = (await first.client.startTask({ name: 'work' })).save()!
    const told: string[] = []
    const times: number[] = []
    const second = await stateless({
      'tasks/get': () => {
        told.push('look')
        times.push(performance.now())
        return { ...complete(), ...(times.length > 1 ? done() : task()) }
      },
    })
    const onUpdate = ({ status }: Task): void => void told.push(status)
    const handle = await second.client.resumeTask(saved, { onUpdate, pollIntervalMs: 700 })
    expect(await handle.result()).toMatchObject(said('done'))
    expect(told).toEqual(['working', 'look', 'look', 'completed'])
    expect(times[1]! - times[0]!).toBeGreaterThan(650)
  })
})
