import { expect, test } from 'vitest'
import { expandTemplate, variablesOf } from './uri-template.ts'

test.each([
  ['note://{name}', { name: 'to do/later' }, 'note://to%20do%2Flater'],
  ['file:///{+path}', { path: 'a b/c.txt' }, 'file:///a%20b/c.txt'],
  ['file:///{+path}', { path: '100%25/50%' }, 'file:///100%25/50%25'],
  ['x://a{?q,lang}', { q: 'rain & sun', lang: 'pt' }, 'x://a?q=rain%20%26%20sun&lang=pt'],
  ['x://a{?q,lang}', { q: '', lang: 'pt' }, 'x://a?lang=pt'],
  ['x://a{?q,lang}', {}, 'x://a'],
  ['x://a?fixed=1{&more}', { more: '2' }, 'x://a?fixed=1&more=2'],
  ['x://{user:3}/{rest*}', { user: 'abcdef', rest: 'z' }, 'x://abc/z'],
  [
    'x://a{/one,two}{.kind}{;v}{#part}',
    { one: '1', two: '2', kind: 'md', v: '3', part: 'top' },
    'x://a/1/2.md;v=3#top',
  ],
  ['x://{name}', { name: "it's (1)*!" }, 'x://it%27s%20%281%29%2A%21'],
])('%s with %o is %s', (template, values, address) => {
  expect(expandTemplate(template, values)).toBe(address)
})

test('its variables are named once each, in the order in which they stand', () => {
  expect(variablesOf('x://{b}/{a}{?a,c*,d:5}')).toEqual(['b', 'a', 'c', 'd'])
})

test('a template of a stranger names at most 20 variables, and nothing that is none', () => {
  expect(variablesOf(Array.from({ length: 1_000 }, (_, at) => `{v${at}}`).join(''))).toHaveLength(20)
  expect(variablesOf('x://{}{ }{a b}{{c}}{"><script>}')).toEqual(['c'])
})

test('a variable that is called like a part of every object has no value of its own', () => {
  expect(expandTemplate('x://{constructor}{toString}{__proto__}', {})).toBe('x://')
})

test.each([
  ['x://{a}', '\ud800'],
  ['x://{a:1}', '🌊'],
  ['x://\ud800{b}', 'x'],
])('replaces half a surrogate pair in %j', (template, a) => {
  expect(expandTemplate(template, { a })).toBe('x://%EF%BF%BD')
})

test('keeps a template that cannot be expanded readable', () => {
  expect(expandTemplate('x://{a', { a: '1' })).toContain('a')
  expect(expandTemplate('x://{}{a}', { a: '1' })).toContain('1')
})

test('gives a __proto__ variable only the value that was entered', () => {
  expect(expandTemplate('x://{__proto__}', JSON.parse('{"__proto__":"v"}'))).toBe('x://v')
})
