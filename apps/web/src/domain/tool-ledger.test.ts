import { expect, test } from 'vitest'
import { type LedgerEntry, type ListedDefinition, noteTools, seen } from './tool-ledger.ts'

const tool = (name: string, fingerprint: string): ListedDefinition => ({
  name,
  fingerprint,
  definition: `{"v":"${fingerprint}"}`,
})

/** A server that is listed again and again; what each list changes is kept. */
function ledger() {
  let entries: LedgerEntry[] = []
  let at = 0
  const put = (changed: readonly LedgerEntry[]) => {
    const ids = new Set(changed.map(({ id }) => id))
    entries = [...entries.filter(({ id }) => !ids.has(id)), ...changed]
    return changed.length
  }
  return {
    list: (listed: ListedDefinition[], endpoint = 'https://a.example/mcp') =>
      put(noteTools('s', entries, listed, endpoint, ++at)),
    see: (name: string) => put(entries.filter(({ toolName }) => toolName === name).map((entry) => seen(entry, ++at))),
    of: (name: string) => entries.find(({ toolName }) => toolName === name),
  }
}

test('the tools that a server has when one meets it are seen; those that come later are new', () => {
  const { list, of } = ledger()
  list([tool('a', 'a1')])
  expect(of('a')?.state).toBe('seen')
  list([tool('a', 'a1'), tool('b', 'b1')])
  expect(of('a')?.state).toBe('seen')
  expect(of('b')?.state).toBe('new')
})

test('[A3.2] one that changes stays changed, however often it does, until it is seen as it is', () => {
  const { list, see, of } = ledger()
  list([tool('a', 'a1')])
  list([tool('a', 'a2')])
  list([tool('a', 'a3')])
  expect(of('a')).toMatchObject({
    state: 'changed',
    fingerprint: 'a3',
    before: { fingerprint: 'a1', definition: '{"v":"a1"}' },
  })
  see('a')
  expect(of('a')).toMatchObject({ state: 'seen', fingerprint: 'a3' })
  expect(of('a')?.before).toBeUndefined()
  list([tool('a', 'a4')])
  expect(of('a')).toMatchObject({ state: 'changed', before: { fingerprint: 'a3' } })
})

test('one that is again what was seen is seen', () => {
  const { list, of } = ledger()
  list([tool('a', 'a1')])
  list([tool('a', 'a2')])
  list([tool('a', 'a1')])
  expect(of('a')).toMatchObject({ state: 'seen', fingerprint: 'a1' })
  expect(of('a')?.before).toBeUndefined()
})

test('one that goes and comes back otherwise has changed: it cannot lose its past by that', () => {
  const { list, of } = ledger()
  list([tool('a', 'a1'), tool('b', 'b1')])
  list([tool('b', 'b1')])
  expect(of('a')?.isThere).toBe(false)
  list([tool('a', 'a2'), tool('b', 'b1')])
  expect(of('a')).toMatchObject({ state: 'changed', isThere: true, before: { fingerprint: 'a1' } })
  expect(of('a')?.history.map(({ what }) => what)).toEqual(['came', 'went', 'came', 'changed'])
})

test('a new one that changes before it was seen shows what it was when it came', () => {
  const { list, of } = ledger()
  list([tool('a', 'a1')])
  list([tool('a', 'a1'), tool('b', 'b1')])
  list([tool('a', 'a1'), tool('b', 'b2')])
  expect(of('b')).toMatchObject({ state: 'changed', before: { fingerprint: 'b1' } })
})

test('a list that says the same changes nothing, and the past stays short', () => {
  const { list, of } = ledger()
  expect(list([tool('a', 'a1')])).toBe(1)
  expect(list([tool('a', 'a1')])).toBe(0)
  for (let n = 0; n < 100; n++) list([tool('a', `a${n}`)])
  expect(of('a')?.history).toHaveLength(20)
})

test('what a tool was at each change can be read later, also when it was seen in between', () => {
  const { list, see, of } = ledger()
  list([tool('a', 'a1')])
  list([tool('a', 'a2')])
  see('a')
  list([tool('a', 'a3')])
  expect(of('a')?.earlier).toEqual([
    { fingerprint: 'a1', endpoint: 'https://a.example/mcp', definition: '{"v":"a1"}', until: 2 },
    { fingerprint: 'a2', endpoint: 'https://a.example/mcp', definition: '{"v":"a2"}', until: 4 },
  ])
  expect(
    of('a')
      ?.history.filter(({ what }) => what === 'changed')
      .map(({ at }) => at),
  ).toEqual([2, 4])
})

test('earlier times are few, and short together: who changes all the time fills nothing', () => {
  const { list, of } = ledger()
  for (let n = 0; n < 50; n++) list([tool('a', `a${n}`)])
  expect(of('a')?.earlier?.map(({ fingerprint }) => fingerprint)).toEqual(
    Array.from({ length: 10 }, (_, at) => `a${39 + at}`),
  )
  for (let n = 0; n < 50; n++) list([{ ...tool('a', `b${n}`), definition: `${n}`.padEnd(40_000, 'x') }])
  expect(of('a')?.earlier?.map(({ fingerprint }) => fingerprint)).toEqual(['b47', 'b48'])
})

test('a definition without end is kept in part; that it changed is known all the same', () => {
  const { list, of } = ledger()
  list([{ ...tool('a', 'a1'), definition: 'x'.repeat(1_000_000) }])
  expect(of('a')?.definition).toHaveLength(50_000)
})
