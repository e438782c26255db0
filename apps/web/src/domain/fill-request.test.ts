import { describe, expect, test } from 'vitest'
import type { CustomToolInput } from './custom-tool.ts'
import { customToolFaults } from './custom-tool-faults.ts'
import { Failed } from './failure.ts'
import { fillRequest } from './fill-request.ts'

const tool = (change: Partial<CustomToolInput> = {}): CustomToolInput => ({
  name: 'find',
  description: 'Finds it',
  inputSchema: { type: 'object', properties: {} },
  method: 'GET',
  url: 'https://api.example/items',
  places: {},
  annotations: {},
  ...change,
})
const properties = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
})

function refusal(deed: () => unknown): string {
  try {
    deed()
  } catch (error) {
    if (error instanceof Failed && error.failure.code === 'bad-arguments') return error.message
    throw error
  }
  throw new Error('It was not refused.')
}

describe('an argument in the path', () => {
  const item = tool({ url: 'https://api.example/shelf/{shelf}/items/{id}?view={view}', inputSchema: properties('id') })
  const fill = (id: unknown) => fillRequest(item, { shelf: 'a', id, view: 'all' }).url

  test('is encoded, so that it stays in its place', () => {
    expect(fill('a b/c?d#e&f=g%2F')).toBe('https://api.example/shelf/a/items/a%20b%2Fc%3Fd%23e%26f%3Dg%252F?view=all')
    expect(fill(12)).toBe('https://api.example/shelf/a/items/12?view=all')
    expect(fill(['x', 'y'])).toBe('https://api.example/shelf/a/items/x%2Cy?view=all')
  })

  test.each(['..', '.', '../admin', 'a/../../b', '..\\..\\b', 'x/..'])('never leads upwards: %s', (id) => {
    expect(refusal(() => fill(id))).toContain('would lead to another path')
  })

  test('never leads upwards together with its neighbour either', () => {
    const pair = tool({ url: 'https://api.example/a/{one}{two}/b' })
    expect(refusal(() => fillRequest(pair, { one: '.', two: '.' }))).toContain('another path')
    const dotted = tool({ url: 'https://api.example/a/.{one}/b' })
    expect(refusal(() => fillRequest(dotted, { one: '.' }))).toContain('another path')
  })

  test('cannot be missing, empty, an object or half a character', () => {
    expect(refusal(() => fillRequest(item, { shelf: 'a', view: 'x' }))).toContain('needs “id”')
    expect(refusal(() => fill(''))).toContain('cannot be empty')
    expect(refusal(() => fill(null))).toContain('needs “id”')
    expect(refusal(() => fill({ a: 1 }))).toContain('is an object')
    expect(refusal(() => fill('\ud800'))).toContain('half a character')
    expect(refusal(() => fill('a\0b'))).toContain('control characters')
  })

  test('never chooses the host', () => {
    for (const url of ['https://{host}/x', 'https://api.example{rest}', 'https://{user}@api.example/'])
      expect(() => fillRequest(tool({ url }), { host: 'evil.example', rest: '.evil.example/', user: 'a' })).toThrow(
        /no usable address/,
      )
  })
})

describe('an argument in the query', () => {
  test('is encoded, a list is one pair for each value, and null is left out', () => {
    const { url } = fillRequest(tool({ url: 'https://api.example/items?v=1' }), {
      q: 'a&b=c #d',
      tag: ['x', 'y z'],
      nothing: null,
      is: false,
      where: { a: 1 },
    })
    expect(url).toBe(
      'https://api.example/items?v=1&q=a%26b%3Dc%20%23d&tag=x&tag=y%20z&is=false&where=%7B%22a%22%3A1%7D',
    )
  })
})

describe('an argument in a header', () => {
  const given = (name: string, value: unknown) =>
    fillRequest(tool({ places: { [name]: 'header' } }), { [name]: value }).headers

  test('travels under its name', () => {
    expect(given('X-Trace', 'abc')).toEqual({ 'x-trace': 'abc' })
  })

  test.each(['a\r\nAuthorization: x', 'a\nb', 'a\0', 'ü€'])('begins no other header: %j', (value) => {
    expect(refusal(() => given('x-trace', value))).toContain('no header can carry')
  })

  test.each([
    'Authorization',
    'cookie',
    'Host',
    'Content-Type',
    'content-length',
    'Proxy-Authorization',
    'Sec-Fetch-Site',
    'X-Switchboard-Token',
    'X-HTTP-Method-Override',
    'x y',
    'a:b',
    '',
  ])('is none that others set: %j', (name) => {
    expect(refusal(() => given(name, 'x'))).toContain('cannot travel as a header')
  })
})

describe('the body', () => {
  const post = tool({ method: 'POST', inputSchema: properties('title', 'id'), places: { id: 'query' } })

  test('is JSON of the arguments that go nowhere else', () => {
    expect(fillRequest(post, { title: 'A', id: 'x', more: [1, { b: null }] })).toEqual({
      method: 'POST',
      url: 'https://api.example/items?id=x',
      headers: { 'content-type': 'application/json' },
      body: '{"title":"A","more":[1,{"b":null}]}',
    })
  })

  test('is an empty object where all of it was left out, and none where the tool has none', () => {
    expect(fillRequest(post, { id: 'x' }).body).toBe('{}')
    const bare = fillRequest(tool({ method: 'POST' }), {})
    expect(bare).toEqual({ method: 'POST', url: 'https://api.example/items', headers: {} })
  })

  test('is never sent with GET and DELETE', () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const request = fillRequest(tool({ method, places: { a: 'body' } }), { a: '1' })
      expect(request).toEqual({ method, url: 'https://api.example/items?a=1', headers: {} })
    }
  })

  test('can be one argument as a whole, and members can have other names on the way', () => {
    const whole = tool({ method: 'PUT', wireNames: { all: '' }, places: { all: 'body' } })
    expect(fillRequest(whole, { all: [1, 2] }).body).toBe('[1,2]')
    const renamed = tool({ method: 'PUT', wireNames: { id_body: 'id' }, places: { id_body: 'body', id: 'query' } })
    expect(fillRequest(renamed, { id_body: 1, id: 2 })).toMatchObject({
      body: '{"id":1}',
      url: 'https://api.example/items?id=2',
    })
  })

  test('takes keys of prototypes as plain names, and is not changed by them', () => {
    const args = JSON.parse('{"__proto__":{"method":"DELETE"},"constructor":"x","toString":"y"}') as Record<
      string,
      unknown
    >
    const request = fillRequest(tool({ method: 'POST' }), args)
    expect(request.method).toBe('POST')
    expect(request.body).toBe('{"__proto__":{"method":"DELETE"},"constructor":"x","toString":"y"}')
    expect(({} as Record<string, unknown>)['method']).toBeUndefined()
  })
})

describe('what is wrong with a tool is said with what to do', () => {
  const faults = (change: Partial<CustomToolInput>, taken: string[] = []) =>
    customToolFaults(tool(change), taken).map(({ field, message }) => `${field}: ${message}`)

  test('a good one has no faults', () => {
    expect(faults({ url: 'https://api.example/{id}', inputSchema: properties('id') })).toEqual([])
    expect(faults({ url: 'http://localhost:8080/x' })).toEqual([])
  })

  test.each<[Partial<CustomToolInput>, RegExp]>([
    [{ name: '' }, /name: Give it a name/],
    [{ name: 'find order' }, /name: Models take letters/],
    [{ name: 'n'.repeat(51) }, /name: .*50 are allowed/],
    [{ description: ' ' }, /description: Say what it does/],
    [{ description: 'd'.repeat(501) }, /description: .*500 are allowed/],
    [{ url: 'api.example' }, /url: This is no address/],
    [{ url: 'http://api.example/' }, /url: api.example needs https/],
    [{ url: 'ftp://api.example/' }, /url: An address begins with https/],
    [{ url: 'https://me:secret@api.example/' }, /url: Leave name and password out/],
    [{ url: 'https://api.example/#x' }, /url: Leave out the part from #/],
    [{ url: 'https://api.example/{id' }, /url: A \{ has no \}/],
    [{ url: 'https://api.example/{}' }, /url: A place needs the name/],
    [{ url: 'https://api.example/{id}' }, /url: There is no argument “id”/],
    [{ inputSchema: { type: 'array' } }, /inputSchema: The schema must be one of an object/],
    [
      { inputSchema: properties('authorization'), places: { authorization: 'header' } },
      /inputSchema: .*cannot travel as a header/,
    ],
    [
      { url: 'https://api.example/{id}', inputSchema: { type: 'object', properties: { id: {} } } },
      /inputSchema: “id” is a part of the address/,
    ],
    [{ inputSchema: properties('a', 'b'), wireNames: { b: 'a' } }, /inputSchema: Two arguments would travel as “a”/],
  ])('%j', (change, words) => {
    expect(faults(change).join('\n')).toMatch(words)
  })

  test('a name that a neighbour has', () => {
    expect(faults({}, ['find'])).toEqual(['name: Another tool of this collection has this name.'])
  })
})
