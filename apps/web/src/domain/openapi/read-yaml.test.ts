import { describe, expect, test } from 'vitest'
import { readYaml, YamlError } from './read-yaml.ts'

const lines = (...all: string[]): string => all.join('\n')

describe('YAML', () => {
  test.each([
    [
      'merges a list of mappings',
      lines('a: &a {x: 1, y: 1}', 'b: &b {y: 2}', 'c: {<<: [*a, *b], z: 3}'),
      { x: 1, y: 1, z: 3 },
    ],
    ['reads an explicit string tag', 'c: !!str 123', '123'],
    ['reads infinity', 'c: -.inf', -Infinity],
    ['keeps a version as text', 'c: 3.0.3', '3.0.3'],
    ['keeps yes as text', 'c: yes', 'yes'],
    ['keeps a date as text', 'c: 2024-01-01', '2024-01-01'],
    ['folds text', lines('c: >-', '  one', '  two', '', '  three'), 'one two\nthree'],
    ['resolves an alias', lines('a: &a [1, 2]', 'c: *a'), [1, 2]],
  ])('%s', (_, text, value) => expect(readYaml(text)).toMatchObject({ c: value }))

  test('keeps prototype names as plain keys', () => {
    const value = readYaml(lines('__proto__:', '  polluted: true', 'constructor: x')) as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test.each([
    ['an unknown alias', 'a: *b', 'Line 1: unidentified alias "b".'],
    ['a repeated key', lines('a: 1', 'a: 2'), 'Line 2: duplicated mapping key.'],
    ['a tab as indentation', lines('a: 1', '\tb: 2'), 'Line 2: tab characters must not be used in indentation.'],
    ['an open bracket', lines('a: [1, 2'), 'unexpected end of the stream within a flow collection'],
    ['an unknown tag', 'a: !!js/function "x"', 'unknown scalar tag'],
    ['two documents', lines('a: 1', '---', 'b: 2'), 'expected a single document'],
    ['an alias to its own parent', 'a: &a [*a]', 'An alias refers to a value that contains it.'],
    ['deep nesting', `a: ${'['.repeat(72_000)}`, 'nesting exceeded maxDepth'],
    ['too many aliases', lines('a: &a 1', `b: [${'*a, '.repeat(1_001)}]`), 'maxAliases'],
    ['too many merged keys', lines('a: &a {x: 1}', `b: {<<: [${'*a, '.repeat(900)}]}`), 'merge'],
  ])('refuses %s and says why', (_, text, words) => {
    expect(() => readYaml(text)).toThrow(YamlError)
    expect(() => readYaml(text)).toThrow(words)
  })

  test('refuses aliases that grow exponentially', () => {
    const names = 'abcdefghijklmnop'.split('')
    const grow = names.slice(1).map((name, at) => `${name}: &${name} [${`*${names[at]}, `.repeat(9)}]`)
    expect(() => readYaml(lines('a: &a [lol, lol]', ...grow))).toThrow(
      'Its aliases stand for more than 1,000,000 values.',
    )
  })
})
