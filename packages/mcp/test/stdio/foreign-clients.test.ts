import { programOf } from '@switchboard/testkit/real-servers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foreignKinds, titleOf } from '../foreign/clients.ts'
import { textOf } from '../interop/surroundings.ts'
import { expectGone, misbehaving, node, twoEras } from './scenario.ts'

const kinds = foreignKinds.map((kind) => [titleOf(kind), kind] as const)

describe('StdioTransport in the clients of others', () => {
  it.each(kinds)('[N10] %s: server-everything is listed, called and ended', async (_, kind) => {
    const transport = node(programOf('@modelcontextprotocol/server-everything'), ['stdio'])
    const client = await kind.connect(transport)
    onTestFinished(() => client.close())
    const { pid = 0 } = transport
    expect(await client.list()).toContain('echo')
    expect(textOf(await client.call('echo', { message: 'héllo' }))).toBe('Echo: héllo')
    await client.close()
    await expectGone(pid)
    await expect(client.call('echo', { message: 'x' })).rejects.toThrow()
  })

  it.each(kinds)('[N10] %s: a program of both eras is called, many times at once', async (_, kind) => {
    const client = await kind.connect(twoEras())
    onTestFinished(() => client.close())
    const numbers = Array.from({ length: 10 }, (__, index) => String(index))
    const answers = await Promise.all(numbers.map((message) => client.call('echo', { message })))
    expect(answers.map(textOf)).toEqual(numbers.map((message) => `Echo: ${message}`))
  })

  // Also those that tell no server of an abort by themselves: their signal reaches the transport.
  it.each(kinds.filter(([, kind]) => kind.abortsAtOnce))('[N3] %s: the server hears of an abort', async (_, kind) => {
    const client = await kind.connect(twoEras())
    onTestFinished(() => client.close())
    const stop = new AbortController()
    const aborted = client.call('wait', { ticket: 'it' }, stop.signal).then(
      () => 'answered',
      () => 'aborted',
    )
    const heard = client.call('await-cancelled', { ticket: 'it' })
    await client.call('echo', { message: 'both are there' })
    stop.abort(new Error('enough'))
    expect(await aborted).toBe('aborted')
    expect(textOf(await heard)).toBe('it was cancelled')
  })

  it.each(kinds)('[N5] %s: when the program dies, its call fails at once', async (_, kind) => {
    const client = await kind.connect(misbehaving())
    onTestFinished(() => client.close())
    const began = performance.now()
    await expect(client.call('exit', { code: 4 })).rejects.toThrow(/code 4|closed/i)
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})
