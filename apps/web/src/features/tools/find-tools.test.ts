import { expect, test } from 'vitest'
import type { FoundTool, Server } from '#domain/server.ts'
import { findTools } from './find-tools.ts'
import { toolEntries } from './tool-entry.ts'

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

test('a tool that the user has not seen as it is has the mark of the ledger, and no other', () => {
  const servers = [serverWith('a', [tool('seen'), tool('other'), tool('fresh')]), serverWith('b', [tool('fresh')])]
  const unseen = [
    { serverId: 'a', toolName: 'other', state: 'changed' as const },
    { serverId: 'b', toolName: 'fresh', state: 'new' as const },
  ]
  const marks = toolEntries(servers, unseen).map(({ serverId, tool: { name }, mark }) => [serverId, name, mark])
  expect(marks).toEqual([
    ['a', 'seen', undefined],
    ['a', 'other', 'changed'],
    ['a', 'fresh', undefined],
    ['b', 'fresh', 'new'],
  ])
})
