import { expect, test } from 'vitest'
import { readPasted } from './read-pasted.ts'
import type { Server } from './server.ts'
import { companionFile, configurationStyles, writeConfiguration } from './write-configuration.ts'

const server = (name: string, change: Partial<Server> = {}): Server => ({
  id: name,
  name,
  description: '',
  transport: 'streamable-http',
  url: `https://${name.toLowerCase()}.example/mcp`,
  headerNames: [],
  authentication: { type: 'auto' },
  timeoutSeconds: 30,
  retries: 3,
  relay: false,
  trusted: true,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
  ...change,
})
const all = [
  server('Plain'),
  server('Bearer', { authentication: { type: 'bearer' }, headerNames: ['x-tenant'] }),
  server('Keyed', { authentication: { type: 'api-key', header: 'X-Key' }, enabled: false }),
  server('Basic', { authentication: { type: 'basic', user: 'ada' } }),
  server('Query', { url: 'https://query.example/mcp?lang=en&api_key=canary-in-the-address' }),
  server('Program', { transport: 'stdio', companionName: 'memory', url: '' }),
  server('Own tools', { transport: 'custom', url: '' }),
]

test.each(configurationStyles)('a file in the style of %s is read again as what it was', (style) => {
  const { text } = writeConfiguration(all, style)
  const pasted = readPasted(text)
  expect(pasted).toMatchObject({
    kind: 'servers',
    entries: [
      { name: 'Plain', url: 'https://plain.example/mcp', authentication: { type: 'auto' }, needs: [] },
      { name: 'Bearer', authentication: { type: 'bearer' }, headerNames: ['x-tenant'] },
      { name: 'Keyed', authentication: { type: 'api-key', header: 'x-key' } },
      { name: 'Basic' },
      { name: 'Query' },
    ],
  })
  const needs = pasted.kind === 'servers' ? pasted.entries.map((entry) => entry.needs.length) : []
  expect(needs).toEqual([0, 2, 1, 1, 1])
})

test.each([
  ['mcp.json', 'mcp.json', /mcpServers/],
  ['vscode', 'mcp.json', /mcp\.json of VS Code/],
  ['windsurf', 'mcp_config.json', /Windsurf/],
  ['gemini', 'settings.json', /Gemini CLI/],
  ['zed', 'settings.json', /Zed/],
  ['opencode', 'opencode.json', /opencode/],
] as const)('a file in the style of %s is called %s, and known for what it is', (style, name, format) => {
  const { text, file } = writeConfiguration(all, style)
  expect(file).toBe(name)
  expect(readPasted(text)).toMatchObject({ format: expect.stringMatching(format) })
})

test.each(configurationStyles)(
  'that a server is switched off is in the file of %s, or said to be left out',
  (style) => {
    const { text, left } = writeConfiguration(all, style)
    const pasted = readPasted(text)
    const isOff = pasted.kind === 'servers' && pasted.entries.some(({ name, enabled }) => name === 'Keyed' && !enabled)
    expect(isOff).toBe(!left.some((sentence) => sentence.startsWith('Keyed: that it is switched off')))
  },
)

test('a key in an address is no part of the file', () => {
  for (const style of configurationStyles) {
    const { text } = writeConfiguration(all, style)
    expect(text).not.toContain('canary')
    expect(text).toMatch(/\?lang=en&api_key=\$?\{/)
  }
})

test('VS Code asks for what is missing, and hides it while it is typed', () => {
  const file = JSON.parse(writeConfiguration(all, 'vscode').text) as { inputs: object[]; servers: object }
  expect(file.inputs).toHaveLength(5)
  for (const input of file.inputs) expect(input).toMatchObject({ type: 'promptString', password: true })
  expect(JSON.stringify(file.servers)).toContain('Bearer ${input:bearer-token}')
})

test('what is not in the file is said', () =>
  expect(writeConfiguration(all, 'mcp.json').left).toEqual([
    expect.stringMatching(/^Program: its command/),
    expect.stringMatching(/^Own tools: these are tools/),
  ]))

test('two servers of one name are both in the file', () => {
  const { text } = writeConfiguration([server('Twin'), server('Twin', { url: 'https://b.example/' })], 'mcp.json')
  expect(Object.keys((JSON.parse(text) as { mcpServers: object }).mcpServers)).toEqual(['Twin', 'Twin 2'])
})

test('nothing of trust is in the file', () =>
  expect(writeConfiguration(all, 'mcp.json').text).not.toMatch(/trust|approve|allow/i))

test("the companion's file gets names that it takes, and only what it knows", () => {
  const program = { command: 'npx', args: ['-y', 'x'], env: { A: '1' }, cwd: 'relative' }
  expect(JSON.parse(companionFile([{ name: '../Ein Ding', program }]))).toEqual({
    mcpServers: { 'Ein-Ding': { command: 'npx', args: ['-y', 'x'], env: { A: '1' } } },
  })
})
