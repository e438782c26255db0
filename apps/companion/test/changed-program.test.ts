import { expect, test } from 'vitest'
import { ask, everything, misbehaving, start, writeConfig } from './scenario.ts'

interface Listed {
  servers: { name: string; digest: string; restarts: number; state: string }[]
}
const listed = async (companion: Parameters<typeof ask>[0]) =>
  (await (await ask(companion, '/api/servers')).json()) as Listed

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const post = (companion: Parameters<typeof ask>[0], program?: string) =>
  ask(companion, '/mcp/tool', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(program !== undefined && { 'x-switchboard-program': program }),
    },
    body: JSON.stringify(hello),
  })

test('[A7.4] which program it is is told, and nothing of its command, its arguments or its keys', async () => {
  const entry = { ...everything(), env: { API_KEY: 'canary-key' } }
  const companion = await start({ tool: { ...entry, args: [...(entry.args ?? []), 'canary-argument'] } })
  const answer = await listed(companion)
  expect(answer.servers[0]?.digest).toMatch(/^sha256-[\w-]{43}$/)
  expect(JSON.stringify(answer)).not.toMatch(/canary|server-everything|API_KEY/)
})

test('[A7.4] who means one program does not reach another that took its name, and does not start it', async () => {
  const companion = await start({ tool: everything() })
  const before = (await listed(companion)).servers[0]?.digest ?? ''
  expect((await post(companion, before)).status).toBe(200)
  await writeConfig(companion.config, { tool: misbehaving() })
  const refused = await post(companion, before)
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('was changed')
  const [after] = (await listed(companion)).servers
  expect(after).toMatchObject({ state: 'stopped', restarts: 0 })
  expect(after?.digest).not.toBe(before)
  expect((await post(companion, after?.digest)).status).toBe(200)
})

test('[A7.4] a file that says the same in other words, or has new keys, has the same program', async () => {
  const { command, args = [] } = everything()
  const companion = await start({ tool: { command, args, env: { B: '1', A: '2' } } })
  const before = (await listed(companion)).servers[0]?.digest ?? ''
  await writeConfig(companion.config, { other: everything(), tool: { env: { A: '3', B: '1' }, args, command } })
  const after = (await listed(companion)).servers.find(({ name }) => name === 'tool')
  expect(after?.digest).toBe(before)
})

test('who says nothing of it is answered as ever', async () => {
  const companion = await start({ tool: everything() })
  expect((await post(companion)).status).toBe(200)
})
