import { describe, expect, test } from 'vitest'
import { readYaml } from './read-yaml.ts'
import { YamlFault } from './yaml-fault.ts'

const lines = (...all: string[]): string => all.join('\n')

describe('YAML', () => {
  test('has mappings, lists and what stands in them', () => {
    const text = lines(
      '%YAML 1.2',
      '---',
      '# a remark',
      'name: Harbour   # behind it one more',
      'empty:',
      'list:',
      '- one',
      '- two: 2',
      '  three: [3, "4", {five: 5, six: }]',
      '-',
      '  - nested',
      '  -',
      '    deep: true',
      "\"a key: quoted\": 'it''s'",
      '200: {$ref: "#/a/b"}',
    )
    expect(readYaml(text)).toEqual({
      name: 'Harbour',
      empty: null,
      list: ['one', { two: 2, three: [3, '4', { five: 5, six: null }] }, ['nested', { deep: true }]],
      'a key: quoted': "it's",
      200: { $ref: '#/a/b' },
    })
  })

  test('tells numbers, truth and nothing from texts', () => {
    const text = lines('a: 3.0.3', 'b: 1e3', 'c: 0x1F', 'd: ~', 'e: True', 'f: yes', 'g: "1"')
    expect(readYaml(text)).toEqual({
      a: '3.0.3',
      b: 1000,
      c: 31,
      d: null,
      e: true,
      f: 'yes',
      g: '1',
    })
  })

  test('has texts over several lines, as they stand and folded', () => {
    const text = lines(
      'literal: |',
      '  first',
      '    deeper',
      '',
      '  last',
      'folded: >-',
      '  one',
      '  two',
      '',
      '  three',
      'kept: |+',
      '  x',
      '',
      'plain: goes on',
      '  and on',
      'quoted: "begins',
      '  here \\',
      '  ends"',
      'flow: [',
      '  a,   # a remark in it',
      '  b ]',
    )
    expect(readYaml(text)).toEqual({
      literal: 'first\n  deeper\n\nlast\n',
      folded: 'one two\nthree',
      kept: 'x\n\n',
      plain: 'goes on and on',
      quoted: 'begins here ends',
      flow: ['a', 'b'],
    })
  })

  test('has anchors, aliases and merged mappings', () => {
    const text = lines('base: &base', '  a: 1', '  b: 2', 'other:', '  <<: *base', '  b: 3', 'same: *base')
    expect(readYaml(text)).toEqual({ base: { a: 1, b: 2 }, other: { a: 1, b: 3 }, same: { a: 1, b: 2 } })
  })

  test('has keys with a line of their own, and texts whose lines stand deeper', () => {
    const text = lines('? a long key', ': b: 1', '  c: 2', '? other', ':', '- 3', 'text: >', '  a', '    b', '', '  c')
    expect(readYaml(text)).toEqual({ 'a long key': { b: 1, c: 2 }, other: [3], text: 'a\n  b\n\nc\n' })
  })

  test('takes names of prototypes as plain keys', () => {
    const value = readYaml(lines('__proto__:', '  polluted: true', 'constructor: x')) as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test.each([
    [lines('a: 1', '\tb: 2'), 'Line 2 is indented with a tab, where YAML wants spaces.'],
    [lines('a: 1', 'b'), 'Line 2 has no key, where its neighbours have one.'],
    [lines('a: 1', 'a: 2'), 'Line 2 names “a” a second time.'],
    [lines('a: "open'), 'Line 2 ends a text that is not closed.'],
    [lines('a: [1, 2'), 'Line 2 ends a bracket that is not closed.'],
    [lines('a: *b'), 'Line 1 refers to “b”, which is not above it.'],
    [lines('? a', 'b: 1'), 'Line 2 has no value for the key above it.'],
    [lines('? [a]', ': b'), 'Line 1 has no key'],
    [lines('a: b', '  c: d'), 'Line 2 has a key inside a text'],
  ])('says in which line it is not understood: %j', (text, words) => {
    expect(() => readYaml(text)).toThrow(YamlFault)
    expect(() => readYaml(text)).toThrow(words)
  })

  describe('that is hostile ends soon', () => {
    const most = 3000
    test.each([
      ['lists in lists', '- '.repeat(100_000)],
      ['brackets in brackets', `a: ${'['.repeat(100_000)}`],
      ['a text that is never closed', `a: "${'\\"\n '.repeat(200_000)}`],
      ['brackets that are never closed', `a: [\n${"'x', \n".repeat(200_000)}`],
      ['ever deeper mappings', Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ])('%s', (_, text) => {
      const began = performance.now()
      expect(() => readYaml(text)).toThrow()
      expect(performance.now() - began).toBeLessThan(most)
    })

    test('a billion laughs are as many words as were written', () => {
      const text = lines(
        'a: &a [lol, lol]',
        ...'bcdefghijklmnop'.split('').map((name, at) => {
          const before = 'abcdefghijklmnop'[at]
          return `${name}: &${name} [*${before}, *${before}, *${before}, *${before}, *${before}]`
        }),
      )
      expect(Object.keys(readYaml(text) as object)).toHaveLength(16)
    })
  })
})
