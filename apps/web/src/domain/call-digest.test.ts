import { expect, test } from 'vitest'
import { callDigest, type DigestedCall } from './call-digest.ts'

const call: DigestedCall = {
  serverId: 's',
  endpoint: 'https://a/mcp',
  fingerprint: 'f',
  toolName: 't',
  arguments: '{"a":1}',
}

test('the same call has the same digest', async () => {
  expect(await callDigest(call)).toMatch(/^[0-9a-f]{64}$/)
  expect(await callDigest({ ...call })).toBe(await callDigest(call))
})

test('any change of server, endpoint, definition, tool or arguments is another digest', async () => {
  const digests = await Promise.all(
    [
      {},
      { serverId: 's2' },
      { endpoint: 'https://a/mcp/' },
      { fingerprint: 'g' },
      { toolName: 'T' },
      { arguments: '{"a":2}' },
    ].map((change) => callDigest({ ...call, ...change })),
  )
  expect(new Set(digests).size).toBe(6)
})

test('what stands in one field cannot be moved into its neighbour', async () => {
  const moved = { ...call, fingerprint: 'f","t', toolName: '' }
  const other = { ...call, fingerprint: 'f', toolName: 't","' }
  expect(await callDigest(moved)).not.toBe(await callDigest(other))
})
