import { expect, test } from 'vitest'
import type { FoundTool, Server } from '#domain/server.ts'
import { findTools } from './find-tools.ts'
import { placeOfTool, toolEntries } from './tool-entry.ts'

const tool = (name: string, change: Partial<FoundTool> = {}): FoundTool => ({
  name,
  title: '',
  description: '',
  schemaSize: 0,
  fingerprint: `f-${name}`,
  annotations: {},
  ...change,
})
const serverWith = (id: string, tools: FoundTool[]): Server => ({
  id,
  name: `Server ${id}`,
  description: '',
  transport: 'streamable-http',
  url: 'https://example.com/mcp',
  headerNames: [],
  authentication: { type: 'none' },
  timeoutSeconds: 30,
  retries: 0,
  relay: false,
  trusted: false,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
  found: { title: '', version: '', protocolVersion: '', instructions: '', tools, resources: 0, prompts: 0 },
})

const entries = toolEntries([
  serverWith('a', [
    tool('create_issue', { description: 'Opens an ISSUE in a project' }),
    tool('list_issues', { title: 'Issues of a project' }),
    tool('weather', { description: 'Rain and sun. Not an issue.' }),
  ]),
  serverWith('b', [tool('issue')]),
])
const names = (query: string) => findTools(entries, query).map((entry) => entry.tool.name)

test('without words there are all tools, server by server', () => {
  expect(names('  ')).toEqual(['create_issue', 'list_issues', 'weather', 'issue'])
})

test('what begins with the words comes first, then what is named so, then what speaks of it', () => {
  expect(names('issue')).toEqual(['list_issues', 'issue', 'create_issue', 'weather'])
})

test('all words must be there, in whatever case, also that of the server', () => {
  expect(names('ISSUE project')).toEqual(['list_issues', 'create_issue'])
  expect(names('issue server b')).toEqual(['issue'])
  expect(names('issue nowhere')).toEqual([])
})

test('a tool whose definition is not the one that was trusted is marked, and no other', () => {
  const servers = [serverWith('a', [tool('same'), tool('other'), tool('new')])]
  const grants = [
    { serverId: 'a', toolName: 'same', fingerprint: 'f-same' },
    { serverId: 'a', toolName: 'same', fingerprint: 'old' },
    { serverId: 'a', toolName: 'other', fingerprint: 'old' },
    { serverId: 'b', toolName: 'new', fingerprint: 'old' },
  ]
  const marked = toolEntries(servers, [], grants).filter(({ isChanged }) => isChanged)
  expect(marked.map((entry) => entry.tool.name)).toEqual(['other'])
})

test('a name with slashes, percent signs and question marks has a place of its own', () => {
  expect(placeOfTool('a/b', 'x/%2F?#y')).toBe('/tools/a%2Fb/x%2F%252F%3F%23y')
})
