import { expect, test } from 'vitest'
import { nameTools } from './name-tools.ts'

const tool = (serverName: string, toolName: string, serverId = serverName) => ({ serverName, toolName, serverId })

test('a name says server and tool', async () => {
  expect(await nameTools([tool('Demo tools', 'world_clock'), tool('Demo tools', 'book-table')])).toEqual([
    'demo_tools__world_clock',
    'demo_tools__book-table',
  ])
})

const CROWDS: [what: string, tools: ReturnType<typeof tool>[]][] = [
  ['the same tool on two servers of one name', [tool('Search', 'search', '1'), tool('Search', 'search', '2')]],
  ['a_b + c and a + b_c', [tool('a_b', 'c'), tool('a', 'b_c'), tool('a__b', 'c'), tool('a', 'b__c')]],
  ['look-alike letters', [tool('S', 'search'), tool('S', 'sеarch'), tool('S', 'ѕearch'), tool('S', 'search\u200B')]],
  ['letters of no alphabet we know', [tool('猫', '検索'), tool('犬', '検索'), tool('', ''), tool('!', '?')]],
  ['capital letters', [tool('S', 'Search'), tool('S', 'search'), tool('S', 'SEARCH')]],
  ['long names that differ at the end', [tool('S', `${'x'.repeat(100)}1`), tool('S', `${'x'.repeat(100)}2`)]],
  ['long server names', [tool('x'.repeat(50), 'a', '1'), tool('x'.repeat(50), 'a', '2')]],
  ['dots and slashes', [tool('S', 'a.b'), tool('S', 'a/b'), tool('S', 'a b'), tool('S', 'a_b')]],
  ['names of objects', [tool('__proto__', '__proto__'), tool('constructor', 'toString')]],
]

test.each(CROWDS)('[A3.3] %s: every name is fit, its own, and the same in any order', async (_what, tools) => {
  const names = await nameTools(tools)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(tools.length)
  const backwards = await nameTools(tools.toReversed())
  expect(backwards.toReversed()).toEqual(names)
})

test('[A3.3] whoever comes later cannot take the name that another had alone', async () => {
  const [mine] = await nameTools([tool('Search', 'search', 'mine')])
  const [still, other] = await nameTools([tool('Search', 'search', 'mine'), tool('Search', 'search', 'other')])
  expect(other).not.toBe(mine)
  expect(still).not.toBe(other)
})

test('[A3.3] a tool that is named like another with its mark does not take its place', async () => {
  const twins = [tool('S', 'a.b', '1'), tool('S', 'a/b', '1')]
  const [first = ''] = await nameTools(twins)
  const names = await nameTools([...twins, tool('S', first.slice('s__'.length), '2')])
  expect(new Set(names).size).toBe(3)
})
