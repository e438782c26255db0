import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, connect, eras, folder, node, program, start } from './scenario.ts'

/** A companion with a program that speaks the revision in `file`, and one that speaks both eras. */
async function started(revision: string) {
  const file = join(await folder(), 'revision')
  await writeFile(file, revision)
  const old = node(program('revision-server.mjs'), file)
  const twoEras = node(program('../../../packages/mcp/test/stdio/two-eras-server.mjs'))
  return { file, companion: await start({ old, twoEras }) }
}

/** A client, and the revisions that the answers name to it. */
async function watched(companion: Awaited<ReturnType<typeof start>>, name: string, config: object) {
  const revisions: (string | null)[] = []
  const transport = {
    type: 'http' as const,
    url: `${companion.origin}/mcp/${name}`,
    headers: { 'x-switchboard-token': companion.token },
    fetch: async (url: string | URL | Request, init?: RequestInit) => {
      const response = await fetch(url, init)
      revisions.push(response.headers.get('x-switchboard-revision'))
      return response
    },
  }
  return { client: await connect(companion, name, { transport, ...config }), revisions }
}

describe.each(eras)('to a client of the $era era', ({ config, revision }) => {
  it('names the revision that an old program agreed to, not the one of the bridge', async () => {
    const { companion } = await started('2024-11-05')
    const { revisions } = await watched(companion, 'old', config)
    expect(revisions[0]).toBe('2024-11-05')
  })

  it('names the newest revision that the program and the client have in common', async () => {
    const { companion } = await started('2025-11-25')
    const { client, revisions } = await watched(companion, 'twoEras', config)
    expect(client.getProtocolVersion()).toBe(revision)
    expect(revisions[0]).toBe(revision)
  })
})

it('names the new revision after a restart, on the answer to a call', async () => {
  const { companion, file } = await started('2025-03-26')
  const { client, revisions } = await watched(companion, 'old', {})
  expect(revisions.at(-1)).toBe('2025-03-26')
  await writeFile(file, '2025-06-18')
  await ask(companion, '/api/servers/old/restart', { method: 'POST', body: '{}' })
  expect((await client.call('greet')).text).toBe('hello')
  expect(revisions.at(-1)).toBe('2025-06-18')
})

it.each(['', 'x'.repeat(41), '2025\r\nset-cookie: a=b'])(
  'leaves out a revision that is no header value: %j',
  async (it) => {
    const { companion } = await started(it)
    const { client, revisions } = await watched(companion, 'old', {})
    expect((await client.call('greet')).text).toBe('hello')
    expect(new Set(revisions)).toEqual(new Set([null]))
  },
)
