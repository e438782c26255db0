import type { MCPClient } from '@switchboard/mcp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { META, said, type ScriptedTransport, type Script } from '../scenarios/scripted-transport.ts'
import { accept, asking, done, failureOf, inTurn, question, stateless, task, withSessions } from './scripted-servers.ts'

describe('what a server says of a task', () => {
  it.each([
    ['no id', { resultType: 'task', status: 'working' }],
    ['an id that is none', { resultType: 'task', taskId: 7, status: 'working' }],
    ['an id without end', { resultType: 'task', taskId: 't'.repeat(5000), status: 'working' }],
    ['an unknown status', { resultType: 'task', taskId: 't1', status: 'sleeping' }],
  ])('[K13] a task with %s is none: the call fails, and may have run', async (_what, seed) => {
    const { client } = await stateless({ 'tools/call': () => seed })
    const error = await failureOf(client.startTask({ name: 'work' }))
    expect(error.reason).toBe('protocol')
    expect(error.isOutcomeUnknown()).toBe(true)
  })

  it.each([
    ['another task', task({ taskId: 'another' })],
    ['no task', {}],
    ['a status of nobody', task({ status: 'perhaps' })],
  ])('[K13] a look that shows %s ends it with an error', async (_what, shown) => {
    const { client } = await stateless({ 'tasks/get': inTurn(shown) })
    const error = await failureOf((await client.startTask({ name: 'work' })).result())
    expect(error.reason).toBe('protocol')
  })

  it('[K13] what is completed without a result is an error', async () => {
    const { client } = await stateless({ 'tasks/get': inTurn(task({ status: 'completed' })) })
    const error = await failureOf(client.callTool({ name: 'work' }))
    expect(error).toMatchObject({ reason: 'protocol', message: expect.stringContaining('without a result') })
  })

  it('[K13] the first end counts: a task that is over does not work again, nor is it looked at', async () => {
    const { client, far } = await stateless({ 'tasks/get': inTurn(task(), done('first'), done('second')) })
    const handle = await client.startTask({ name: 'work' })
    expect(await handle.result()).toMatchObject(said('first'))
    const looks = far.of('tasks/get').length
    for (const late of [task(), task({ status: 'cancelled' }), done('third')]) far.notify('notifications/tasks', late)
    expect(handle.status).toBe('completed')
    expect(await handle.result()).toMatchObject(said('first'))
    expect(far.of('tasks/get')).toHaveLength(looks)
  })

  it('[K13] news that are older than what is known are no news', async () => {
    const told: (string | undefined)[] = []
    const { client, far } = await stateless({
      'tasks/get': () => {
        if (far.of('tasks/get').length > 1) return { resultType: 'complete', ...done() }
        const at = (second: number) => ({
          lastUpdatedAt: `2026-01-01T00:00:0${second}Z`,
          statusMessage: `at ${second}`,
        })
        far.notify('notifications/tasks', task(at(5)))
        far.notify('notifications/tasks', task(at(3)))
        return { resultType: 'complete', ...task(at(4)) }
      },
    })
    const handle = await client.startTask({ name: 'work', onUpdate: ({ statusMessage }) => told.push(statusMessage) })
    await handle.result()
    expect(told.filter((text) => text?.startsWith('at'))).toEqual(['at 5'])
  })

  it('[K13] a task that is over when it is made is looked at for its result', async () => {
    const { client, far } = await stateless({
      'tools/call': () => ({ resultType: 'task', ...task({ status: 'completed', pollIntervalMs: 60_000 }) }),
      'tasks/get': inTurn(done('already')),
    })
    expect(await client.callTool({ name: 'work' })).toMatchObject(said('already'))
    expect(far.of('tasks/get')).toHaveLength(1)
  })

  it('[K7] news without the result are a reason to look', async () => {
    const { client, far } = await stateless({
      'tools/call': () => ({ resultType: 'task', ...task({ pollIntervalMs: 60_000 }) }),
      'tasks/get': inTurn(done('looked')),
    })
    const handle = await client.startTask({ name: 'work' })
    far.notify('notifications/tasks/status', task({ status: 'completed' }))
    expect(await handle.result()).toMatchObject(said('looked'))
  })

  it('[K6] an error inside the server is no end of the task; a server that knows no tasks any more is', async () => {
    let looks = 0
    const { client } = await stateless({
      'tasks/get': () => {
        if (++looks === 1) throw Object.assign(new Error('oops'), { code: -32603 })
        throw Object.assign(new Error('no such method'), { code: -32601 })
      },
    })
    const error = await failureOf((await client.startTask({ name: 'work' })).result())
    expect(error).toMatchObject({ code: -32601, task: { taskId: 't1' } })
    expect(looks).toBe(2)
  })

  it('[K10] a server that never confirms is not looked at for ever', async () => {
    const { client, far } = await stateless({
      'tasks/get': inTurn(task({ pollIntervalMs: 5000 })),
      'tasks/cancel': () => ({ resultType: 'complete' }),
    })
    const handle = await client.startTask({ name: 'work' })
    const end = failureOf(handle.result())
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    await handle.cancel()
    await vi.advanceTimersByTimeAsync(61_000)
    vi.useRealTimers()
    expect(await end).toMatchObject({ reason: 'timeout', message: expect.stringContaining('was asked to stop') })
    expect(handle).toMatchObject({ status: 'working', cancelRequested: true })
    expect(far.of('tasks/cancel')).toHaveLength(1)
  })

  it('[K7] a stream that says it will tell and ends is not opened for ever', async () => {
    const { client, far } = await stateless({
      'subscriptions/listen': (_params, { id }) => {
        far.notify('notifications/subscriptions/acknowledged', {
          notifications: { taskIds: ['t1', 'of another'] },
          _meta: { [`${META}subscriptionId`]: id },
        })
        return { resultType: 'complete' }
      },
      'tasks/get': () => ({ resultType: 'complete', ...(far.of('tasks/get').length > 5 ? done() : task()) }),
    })
    expect(await client.callTool({ name: 'work' })).toMatchObject(said('done'))
    expect(far.of('subscriptions/listen')).toHaveLength(1)
  })
})

describe('what a task asks', () => {
  it('[K8] another question under the name of an old one ends the task: an answer could be taken for the wrong one', async () => {
    const changed = task({ status: 'input_required', inputRequests: { q1: question('Your password?') } })
    const { client, far } = await stateless(
      { 'tasks/get': inTurn(asking('q1'), asking('q1'), changed), 'tasks/update': () => ({ resultType: 'complete' }) },
      accept(),
    )
    const error = await failureOf(client.callTool({ name: 'work' }))
    expect(error).toMatchObject({
      reason: 'protocol',
      message: expect.stringContaining('two questions under one name'),
    })
    expect(far.of('tasks/update')).toHaveLength(1)
  })

  it('[K8] a question that is still shown after its answer is not asked again', async () => {
    let asked = 0
    const { client, far } = await stateless(
      {
        'tasks/get': inTurn(asking('q1'), asking('q1'), asking('q1'), done()),
        'tasks/update': () => ({ resultType: 'complete' }),
      },
      { onElicitationRequest: () => ({ action: asked++ ? 'cancel' : 'accept', content: {} }) },
    )
    await client.callTool({ name: 'work' })
    expect(asked).toBe(1)
    expect(far.of('tasks/update')).toHaveLength(1)
  })

  it('[K11] a question that was answered before the task was saved is not asked again after it', async () => {
    const shown: Script = { 'tasks/get': inTurn(asking('q1')), 'tasks/update': () => ({ resultType: 'complete' }) }
    const first = await stateless(shown, accept())
    const handle = await first.client.startTask({ name: 'work' })
    await expect.poll(() => Object.keys(handle.save()?.answered ?? {})).toEqual(['q1'])
    const asked: unknown[] = []
    const second = await stateless(
      { ...shown, 'tasks/get': inTurn(asking('q1'), asking('q1'), done()) },
      { onElicitationRequest: (request) => (asked.push(request), { action: 'cancel' }) },
    )
    const again = await second.client.resumeTask(handle.save()!)
    expect(await again.result()).toMatchObject(said('done'))
    expect(asked).toEqual([])
  })

  it('[K11] save() names an answered question by its SHA-256', async () => {
    const { client } = await stateless(
      { 'tasks/get': inTurn(asking('q1')), 'tasks/update': () => ({ resultType: 'complete' }) },
      accept(),
    )
    const handle = await client.startTask({ name: 'work' })
    await expect.poll(() => handle.save()?.answered['q1']).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ['nine questions at once', [asking('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i')]],
    ['questions without end', Array.from({ length: 40 }, (_, number) => asking(`q${number}`))],
  ])('[K8] %s are too many', async (_what, shown) => {
    const { client } = await stateless(
      { 'tasks/get': inTurn(...shown), 'tasks/update': () => ({ resultType: 'complete' }) },
      accept(),
    )
    const error = await failureOf(client.callTool({ name: 'work' }))
    expect(error.reason).toBe('limit')
  })

  it('[K8] names of the language are plain names', async () => {
    const inputRequests = JSON.parse('{"__proto__":{"method":"elicitation/create","params":{"message":"?"}}}')
    const { client, far } = await stateless(
      {
        'tasks/get': inTurn(task({ status: 'input_required', inputRequests }), done()),
        'tasks/update': () => ({ resultType: 'complete' }),
      },
      accept(),
    )
    await client.callTool({ name: 'work' })
    const [update] = far.of('tasks/update')
    expect(Object.keys(update?.['inputResponses'] as object)).toEqual(['__proto__'])
  })

  it('[K9] a question of a task that is over reaches nobody, and does not hold the result up', async () => {
    const asked: unknown[] = []
    const { client, far } = await withSessions(
      {
        'tasks/get': inTurn(task({ status: 'completed' })),
        'tasks/result': () => {
          const _meta = { [`${META}related-task`]: { taskId: 't1' } }
          far.say({ jsonrpc: '2.0', id: 77, method: 'elicitation/create', params: { message: 'too late', _meta } })
          return said('done')
        },
      },
      { onElicitationRequest: ({ params }) => (asked.push(params.message), new Promise(() => {})) },
    )
    expect(await client.callTool({ name: 'required' })).toMatchObject(said('done'))
    expect(asked).toEqual([])
    expect(far.sent.filter((message) => 'id' in message && message.id === 77)).toEqual([])
  })

  it('[K9] a question is taken back when the result arrives without its answer', async () => {
    let taken: AbortSignal | undefined
    const { client, far } = await withSessions(
      {
        'tasks/get': inTurn(task({ status: 'input_required' })),
        'tasks/result': async () => {
          const _meta = { [`${META}related-task`]: { taskId: 't1' } }
          far.say({ jsonrpc: '2.0', id: 78, method: 'elicitation/create', params: { message: 'which?', _meta } })
          await expect.poll(() => taken).toBeDefined()
          return said('without you')
        },
      },
      {
        onElicitationRequest: (_request, { signal }) => {
          taken = signal
          return new Promise(() => {})
        },
      },
    )
    const handle = await client.startTask({ name: 'required' })
    expect(await handle.result()).toMatchObject(said('without you'))
    expect(taken?.aborted).toBe(true)
  })

  it('[K9] an answer says to which task it belongs', async () => {
    const _meta = { [`${META}related-task`]: { taskId: 't1' } }
    const { client, far } = await withSessions(
      {
        'tasks/get': inTurn(task({ status: 'input_required' })),
        'tasks/result': async () => {
          far.say({ jsonrpc: '2.0', id: 79, method: 'elicitation/create', params: { message: 'which?', _meta } })
          await far.until(() => far.sent.some((message) => 'id' in message && message.id === 79))
          return said('thanks')
        },
      },
      accept(),
    )
    expect(await client.callTool({ name: 'required' })).toMatchObject(said('thanks'))
    const answer = far.sent.find((message) => 'id' in message && message.id === 79)
    expect(answer).toMatchObject({ result: { action: 'accept', _meta } })
  })
})

describe('tasks with sessions', () => {
  it('[K4] a tool is called as a task only where the list says that it may be', async () => {
    const { client, far } = await withSessions({
      'tools/call': ({ name, task: wanted }) =>
        wanted ? { task: { ...task(), pollInterval: 0 } } : said(`plain ${String(name)}`),
      'tasks/get': inTurn(task({ status: 'completed' })),
      'tasks/result': () => said('as a task'),
    })
    const outcome = async (name: string) => [
      (await client.callTool({ name })).content[0],
      (await (await client.startTask({ name, ttlMs: 9000 })).result()).content[0],
    ]
    const plain = (name: string) => ({ type: 'text', text: `plain ${name}` })
    const asTask = { type: 'text', text: 'as a task' }
    expect(await outcome('forbidden')).toEqual([plain('forbidden'), plain('forbidden')])
    expect(await outcome('optional')).toEqual([plain('optional'), asTask])
    expect(await outcome('required')).toEqual([asTask, asTask])
    expect(await outcome('unlisted')).toEqual([plain('unlisted'), plain('unlisted')])
    expect(far.of('tools/call').map((params) => params['task'])).toEqual([
      undefined,
      undefined,
      undefined,
      { ttl: 9000 },
      {},
      { ttl: 9000 },
      undefined,
      undefined,
    ])
  })

  it('[K4] with tasks: false a tool that must be a task is not called', async () => {
    const { client, far } = await withSessions({}, { tasks: false })
    const error = await failureOf(client.callTool({ name: 'required' }))
    expect(error.message).toContain('runs only as a task: call startTask')
    expect(far.of('tools/call')).toEqual([])
  })

  it('[K13] a task that failed has the result or the error that the server kept', async () => {
    const failed = task({ status: 'failed', statusMessage: 'broken' })
    const kept = await withSessions({
      'tasks/get': inTurn(failed),
      'tasks/result': () => ({ ...said('no paper'), isError: true }),
    })
    expect(await kept.client.callTool({ name: 'required' })).toMatchObject({ isError: true, ...said('no paper') })
    const thrown = await withSessions({
      'tasks/get': inTurn(failed),
      'tasks/result': () => {
        throw Object.assign(new Error('no paper'), { code: -32050, data: { tray: 2 } })
      },
    })
    const error = await failureOf(thrown.client.callTool({ name: 'required' }))
    expect(error).toMatchObject({ reason: 'rpc', code: -32050, data: { tray: 2 } })
    expect(error.message).toBe('tools/call required at the server failed: no paper')
  })

  it('[K9] a server that has no result before the end is not asked for it over and over', async () => {
    const { client, far } = await withSessions({
      'tasks/get': () =>
        far.of('tasks/get').length < 6 ? task({ status: 'input_required' }) : task({ status: 'completed' }),
      'tasks/result': () => {
        if (far.of('tasks/get').length > 5) return said('now')
        throw Object.assign(new Error('not yet'), { code: -32602 })
      },
    })
    expect(await client.callTool({ name: 'required' })).toMatchObject(said('now'))
    expect(far.of('tasks/result').length).toBeLessThan(8)
  })

  it('[K9] a wait on a dead connection is begun anew when a look shows the end', async () => {
    const { client, far } = await withSessions({
      'tasks/get': () => task({ status: far.of('tasks/result').length > 0 ? 'completed' : 'input_required' }),
      'tasks/result': () => (far.of('tasks/result').length > 1 ? said('the second time') : new Promise(() => {})),
    })
    expect(await client.callTool({ name: 'required' })).toMatchObject(said('the second time'))
  })

  it('[K11] a task of one era is not looked for in the other', async () => {
    const { client } = await withSessions({})
    const saved = (await client.startTask({ name: 'required' })).save()!
    const moved = await stateless({})
    const error = await failureOf(moved.client.resumeTask(saved))
    expect(error).toMatchObject({ reason: 'protocol', message: expect.stringContaining('speaks 2026-07-28 now') })
    expect(moved.far.of('tasks/get')).toEqual([])
  })

  it('[K4] a server that lists no tools may run them all the same', async () => {
    const { client, far } = await withSessions({
      'tools/list': () => {
        throw Object.assign(new Error('no list'), { code: -32601 })
      },
      'tools/call': () => said('ran'),
    })
    expect(await client.callTool({ name: 'hidden' })).toMatchObject(said('ran'))
    expect(far.of('tools/call')).toEqual([expect.not.objectContaining({ task: expect.anything() })])
  })

  it('[K1] progress goes on after the call was answered', async () => {
    const heard: unknown[] = []
    const { client, far } = await withSessions({
      'tasks/get': () => {
        const [{ _meta } = {}] = far.of('tools/call')
        const { progressToken } = _meta as { progressToken: string }
        far.notify('notifications/progress', { progressToken, progress: far.of('tasks/get').length, total: 3 })
        return far.of('tasks/get').length < 3 ? task() : task({ status: 'completed' })
      },
      'tasks/result': () => said('done'),
    })
    await client.callTool({ name: 'required', options: { onProgress: (progress) => heard.push(progress) } })
    expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))
  })

  it('[K2] an abort before the id is known cancels the task as soon as it is', async () => {
    let made: (value: unknown) => void = () => {}
    const { client, far } = await withSessions({
      'tools/call': () => new Promise((resolve) => (made = resolve)),
      'tasks/cancel': () => task({ status: 'cancelled' }),
    })
    const stop = new AbortController()
    const reason = new Error('no')
    const call = failureOf(client.callTool({ name: 'required', options: { signal: stop.signal } }))
    await far.until(() => far.of('tools/call').length > 0)
    stop.abort(reason)
    expect(await call).toBe(reason)
    expect(far.of('tasks/cancel')).toEqual([])
    made({ task: task() })
    await far.until(() => far.of('tasks/cancel').length > 0)
    expect(far.of('tasks/cancel')).toMatchObject([{ taskId: 't1' }])
    expect(far.of('notifications/cancelled')).toEqual([])
  })

  it('[K10] to cancel what is over changes nothing: how it stands decides', async () => {
    const { client } = await withSessions({
      'tools/call': () => ({ task: { ...task(), pollInterval: 60_000 } }),
      'tasks/get': inTurn(task({ status: 'completed' })),
      'tasks/cancel': () => {
        throw Object.assign(new Error('Cannot cancel task in terminal status'), { code: -32602 })
      },
      'tasks/result': () => said('in time'),
    })
    const handle = await client.startTask({ name: 'required' })
    await handle.cancel()
    expect(await handle.result()).toMatchObject(said('in time'))
  })

  it('[K9] the question of a saved task is asked again by its id, and answered to the same', async () => {
    const params = { message: 'which?', _meta: { [`${META}related-task`]: { taskId: 't1' } } }
    const answered = (far: ScriptedTransport) => far.sent.filter((message) => 'id' in message && message.id === 80)
    const script = (ask: boolean, far: () => ScriptedTransport): Script => ({
      'tasks/get': inTurn(task({ status: 'input_required' })),
      'tasks/result': async () => {
        if (ask) far().say({ jsonrpc: '2.0', id: 80, method: 'elicitation/create', params })
        await far().until(() => answered(far()).length > 0)
        return said('thanks')
      },
    })
    let saved: ReturnType<Awaited<ReturnType<MCPClient['startTask']>>['save']>
    const first: { client: MCPClient; far: ScriptedTransport } = await withSessions(
      script(true, () => first.far),
      { onElicitationRequest: () => new Promise(() => {}) },
    )
    const handle = await first.client.startTask({ name: 'required', onUpdate: (now) => (saved = now.save()) })
    await expect.poll(() => saved?.questions).toEqual([{ id: 80, method: 'elicitation/create', params }])
    handle.detach()
    const second: { client: MCPClient; far: ScriptedTransport } = await withSessions(
      script(false, () => second.far),
      accept(),
    )
    const again = await second.client.resumeTask(JSON.parse(JSON.stringify(saved)))
    expect(await again.result()).toMatchObject(said('thanks'))
    expect(answered(second.far)).toMatchObject([{ result: { action: 'accept' } }])
  })
})
