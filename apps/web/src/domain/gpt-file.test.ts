import { expect, test } from 'vitest'
import type { Gpt } from './gpt.ts'
import { isSamePlace, readGptFile, writeGptFile } from './gpt-file.ts'
import type { Server } from './server.ts'

const gpt: Gpt = {
  id: 'g',
  name: 'Research / helper',
  description: 'Looks things up',
  icon: '🔎',
  instructions: 'Be brief.',
  model: { connectionId: 'secret-connection', modelId: 'gpt-9' },
  settings: { maxToolCalls: 12, temperature: 0.5 },
  starters: ['What is new?'],
  tools: {
    serverIds: ['s1', 's2', 'gone'],
    disabledTools: [
      { serverId: 's1', toolName: 'delete_all' },
      { serverId: 'other', toolName: 'x' },
    ],
    approval: 'auto',
    trustedTools: [{ serverId: 's1', toolName: 'search', fingerprint: 'f', endpoint: 'e' }],
    pollSeconds: 5,
    asyncTasks: true,
  },
  createdAt: 1,
  updatedAt: 2,
}
const server = (change: Partial<Server>): Server => ({
  id: 's1',
  name: 'Web',
  description: '',
  transport: 'streamable-http',
  url: 'https://web.example/mcp?key=K3Y',
  headerNames: ['x-secret'],
  authentication: { type: 'basic', user: 'ann' },
  timeoutSeconds: 30,
  retries: 3,
  relay: true,
  trusted: true,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
  ...change,
})
const servers = [
  server({}),
  server({ id: 's2', name: 'Files', transport: 'stdio', companionName: 'files', url: '' }),
  server({ id: 'unused', name: 'Unused' }),
]

test('a GPT travels with what it is and which servers it uses', () => {
  const { name, text } = writeGptFile(gpt, servers)
  expect(name).toBe('Research-helper.gpt.json')
  expect(readGptFile(text)).toMatchObject({
    name: 'Research / helper',
    instructions: 'Be brief.',
    settings: { maxToolCalls: 12, temperature: 0.5 },
    starters: ['What is new?'],
    model: 'gpt-9',
    servers: [
      { name: 'Web', transport: 'streamable-http', url: 'https://web.example/mcp', disabledTools: ['delete_all'] },
      { name: 'Files', transport: 'stdio', companionName: 'files', disabledTools: [] },
    ],
  })
})

test('[A8.8] no secret, trust, policy or name of an account goes with it', () => {
  const { text } = writeGptFile(gpt, servers)
  for (const word of ['K3Y', 'ann', 'x-secret', 'trusted', 'auto', 'fingerprint', 'secret-connection', 'Unused'])
    expect(text).not.toContain(word)
})

test('what is not in the format does not come in with a file', () => {
  const value = JSON.parse(writeGptFile(gpt, servers).text) as Record<string, unknown>
  const smuggled = { ...value, tools: { approval: 'auto' }, trusted: true, __proto__: { x: 1 }, id: 'mine' }
  expect(readGptFile(JSON.stringify(smuggled))).toEqual(readGptFile(JSON.stringify(value)))
})

test('a file that is none, of a newer version, or with a wrong field is refused in words', () => {
  const value = JSON.parse(writeGptFile(gpt, servers).text) as Record<string, unknown>
  for (const [file, words] of [
    ['{', 'no JSON'],
    ['null', 'no GPT'],
    [JSON.stringify({ ...value, format: 'other' }), 'no GPT'],
    [JSON.stringify({ ...value, version: 2 }), 'newer version'],
    [JSON.stringify({ ...value, name: '' }), 'its name'],
    [JSON.stringify({ ...value, settings: { maxToolCalls: 1e9 } }), 'settings.maxToolCalls'],
    [JSON.stringify({ ...value, servers: Array(51).fill((value['servers'] as unknown[])[0]) }), 'servers'],
    ['x'.repeat(2_000_001), 'larger'],
  ] as const)
    expect(() => readGptFile(file)).toThrow(words)
})

test('a server is known again by its place, whatever it is called', () => {
  const [web, files] = readGptFile(writeGptFile(gpt, servers).text).servers
  if (!web || !files) throw new Error('two servers')
  expect(isSamePlace(server({ name: 'My web' }), web)).toBe(true)
  expect(isSamePlace(server({ url: 'https://web.example/other' }), web)).toBe(false)
  expect(isSamePlace(server({ transport: 'stdio', companionName: 'files' }), files)).toBe(true)
  expect(isSamePlace(server({ transport: 'stdio', companionName: 'file' }), files)).toBe(false)
})
