import { HttpTransport } from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'
import type { WireMessage } from '@switchboard/testkit/fault-server'
import { closing, quick, resumptions, serve, transportTo } from './scenario.ts'

// A call that another page sent, in a session that was kept: it is read on, and never sent again.

const call = { name: 'echo', arguments: { mark: 'once' } }
const answer = (id: unknown, text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })

/** Who sent the call, and what is left of its stream at the server when they are gone. */
async function leftBehind(rest: (id: unknown) => object[]) {
  const server = await serve({ era: 'sessions' })
  server.onRequest = async (exchange) => {
    if (exchange.method !== 'tools/call') return
    const stream = exchange.stream({ record: true })
    await stream.prime()
    stream.drop()
    for (const message of rest(exchange.id)) await stream.message(message)
    stream.end()
  }
  const first = await transportTo(server, { reconnects: 0, terminateSessionOnClose: false })
  const places: string[] = []
  const sent = { jsonrpc: '2.0', id: 'first-7', method: 'tools/call', params: call } as const
  await first.transport.send(sent, { onresumptiontoken: (token) => places.push(token) })
  await first.until(() => first.failures.length === 1, 'the loss of the stream')
  return { server, sessionId: first.transport.sessionId, place: places.at(-1) }
}

/** Another page, in the same session, which picks the call up. */
async function pickUp({ server, sessionId, place }: Awaited<ReturnType<typeof leftBehind>>, resumedRequestId?: string) {
  const transport = closing(
    new HttpTransport({
      url: server.url,
      initialSessionId: sessionId,
      initialProtocolVersion: '2025-11-25',
      backoff: quick,
      reconnects: 2,
    }),
  )
  const dropped: string[] = []
  transport.on('dropped', ({ why }) => dropped.push(why))
  const answered = new Promise<{ message: WireMessage; failure?: unknown }>((resolve) => {
    transport.onmessage = (message: WireMessage, extra?: { failure?: unknown }) =>
      resolve({ message, failure: extra?.failure })
  })
  await transport.start()
  void transport.send(
    { jsonrpc: '2.0', id: 'second-1', method: 'tools/call', params: call },
    { resumptionToken: place, resumedRequestId },
  )
  return { ...(await answered), dropped }
}

describe('[S13] an answer that another page waited for', () => {
  it('is read on after the last event, in the same session, and comes under the id of who asks now', async () => {
    const left = await leftBehind((id) => [answer(id, 'mine')])
    const next = await pickUp(left, 'first-7')
    expect(next.message).toMatchObject({ id: 'second-1', result: { content: [{ text: 'mine' }] } })
    expect(left.server.ledger.count('tools/call')).toBe(1)
    expect(resumptions(left.server).map(({ headers }) => headers['last-event-id'])).toEqual([left.place])
    expect(resumptions(left.server)[0]?.headers['mcp-session-id']).toBe(left.sessionId)
    expect(left.server.ledger.count('initialize')).toBe(1)
  })

  it('is not taken from what answers another request on the same stream', async () => {
    const left = await leftBehind((id) => [answer('first-8', 'not mine'), answer(8, 'nor this'), answer(id, 'mine')])
    const next = await pickUp(left, 'first-7')
    expect(next.message).toMatchObject({ id: 'second-1', result: { content: [{ text: 'mine' }] } })
    expect(next.dropped).toEqual(['a foreign answer', 'a foreign answer'])
  })

  it('that never comes is a failure, whatever else came', async () => {
    const left = await leftBehind(() => [answer('first-8', 'not mine')])
    const next = await pickUp(left, 'first-7')
    expect(next.message).toMatchObject({ id: 'second-1', error: {} })
    expect(next.failure).toMatchObject({ reason: 'network' })
    expect(left.server.ledger.count('tools/call')).toBe(1)
  })

  it('is the first on the stream where nobody says under which id it was sent', async () => {
    const left = await leftBehind((id) => [answer(id, 'mine')])
    expect((await pickUp(left)).message).toMatchObject({ id: 'second-1', result: { content: [{ text: 'mine' }] } })
  })
})
