import { describe, expect, test } from 'vitest'
import { baseFault } from '../custom-tool-address.ts'
import { customToolFaults } from '../custom-tool-faults.ts'
import { Failed } from '../failure.ts'
import { fillRequest } from '../fill-request.ts'
import { harbour } from './harbour-in-test.ts'
import { readOpenApi } from './read-openapi.ts'
import { toolsOfOpenApi } from './tools-of-openapi.ts'

const text = JSON.stringify(harbour)
const BASE = 'https://north.harbour.example/v2'
const reading = readOpenApi(text)
const operation = (id: string) => reading.operations.find((one) => one.id === id)!
const tool = (id: string, document: object = harbour) =>
  toolsOfOpenApi(JSON.stringify(document), BASE, [{ id, name: 'tool' }])[0]!

function refusal(deed: () => unknown): string {
  try {
    deed()
  } catch (error) {
    if (error instanceof Failed) return error.message
    throw error
  }
  throw new Error('It was not refused.')
}
const minimal = (paths: object, more: object = {}): string => JSON.stringify({ openapi: '3.1.0', paths, ...more })

describe('an OpenAPI document', () => {
  test('says what it is, where it is and who may ask', () => {
    expect(reading).toMatchObject({ title: 'Harbour office', version: '2.1', description: 'Berths and ships.' })
    expect(reading.servers).toEqual([{ url: BASE, description: 'Live' }])
    expect(reading.signIn.map(({ name, authentication }) => [name, authentication])).toEqual([
      ['token', { type: 'bearer' }],
      ['login', { type: 'bearer' }],
      ['key', { type: 'api-key', header: 'X-Harbour-Key' }],
      ['query', undefined],
    ])
  })

  test('offers its operations, each under a name that models take and no other has', () => {
    expect(reading.operations.map(({ id, name }) => [id, name])).toEqual([
      ['GET /ships', 'ships_list'],
      ['POST /ships', 'add_ship'],
      ['PUT /ships/{id}', 'change'],
      ['DELETE /ships/{id}', 'change_2'],
      ['POST /ships/{id}/moor', 'post_ships_id_moor'],
      ['POST /bulk', 'bulk'],
      ['POST /upload', 'upload'],
      ['GET /elsewhere', 'elsewhere'],
    ])
    expect(operation('DELETE /ships/{id}').isDeprecated).toBe(true)
    expect(operation('GET /ships')).toMatchObject({ tag: 'ships', summary: 'Lists ships' })
  })

  test('of which every tool that can be made is without faults', () => {
    const chosen = reading.operations.filter(({ problem }) => problem === undefined)
    const tools = toolsOfOpenApi(text, BASE, chosen)
    expect(tools).toHaveLength(7)
    for (const one of tools) expect(customToolFaults(one)).toEqual([])
  })

  test('says what is left out, and why', () => {
    const { notes, arguments: args } = operation('GET /ships')
    expect(args).toEqual([
      { name: 'page', place: 'query', isRequired: false },
      { name: 'filter_flag_', place: 'query', isRequired: false },
      { name: 'X-Trace', place: 'header', isRequired: false },
    ])
    expect(notes).toEqual([
      '“filter[flag]” (query) is called filter_flag_ here.',
      '“Cookie” is left out: the browser or the app sets this header itself.',
      '“session” is left out: cookies are not sent. The document calls it required.',
      '“where” is left out: it is an object in the query.',
    ])
    expect(operation('POST /upload').problem).toContain('neither JSON nor a plain form')
    expect(reading.notes).toEqual(['1 operations (HEAD, OPTIONS, TRACE) are left out.'])
  })

  test('becomes requests as it describes them', () => {
    expect(fillRequest(tool('GET /ships'), { page: 2, filter_flag_: 'NO', 'X-Trace': 't' })).toEqual({
      method: 'GET',
      url: `${BASE}/ships?page=2&filter%5Bflag%5D=NO`,
      headers: { 'x-trace': 't' },
    })
    expect(fillRequest(tool('POST /bulk'), { body: ['a'] })).toMatchObject({ body: '["a"]' })
    expect(tool('GET /elsewhere').url).toBe('https://other.example/elsewhere')
  })

  test('sends plain forms as forms', () => {
    const form = { 'application/x-www-form-urlencoded': { schema: { properties: { To: {}, tag: { type: 'array' } } } } }
    const document = {
      openapi: '3.0.1',
      paths: { '/sms': { post: { requestBody: { required: true, content: form } } } },
    }
    expect(fillRequest(tool('POST /sms', document), { To: '+1 2&3', tag: ['a', 'b'] })).toEqual({
      method: 'POST',
      url: `${BASE}/sms`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'To=%2B1%202%263&tag=a&tag=b',
    })
  })

  test('of which most paths are at one place offers that place first', () => {
    const servers = [{ url: 'https://sms.example' }]
    const paths = { '/a': { servers, get: {} }, '/b': { servers, get: {} }, '/c': { get: {} } }
    const { servers: offered } = readOpenApi(minimal(paths, { servers: [{ url: 'https://all.example' }] }))
    expect(offered.map(({ url }) => url)).toEqual(['https://sms.example', 'https://all.example'])
  })

  test('keeps arguments apart that have one name in two places', () => {
    const change = tool('PUT /ships/{id}')
    expect(fillRequest(change, { id: '7', id_body: '8', name: 'Anna' })).toMatchObject({
      url: `${BASE}/ships/7`,
      body: '{"id":"8","name":"Anna"}',
    })
    expect(operation('PUT /ships/{id}').notes).toContain('“id” (body) is called id_body here.')
  })

  test('has its schemas put together, in words of today, without what only the server writes', () => {
    expect(tool('POST /ships').inputSchema).toEqual({
      type: 'object',
      required: ['name'],
      properties: {
        id: { type: 'string', description: 'Another number' },
        name: { type: ['string', 'null'], minLength: 1 },
        length: { type: 'number', exclusiveMinimum: 0 },
        escort: {},
        crew: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, role: { enum: ['captain', 'cook'] } },
          },
        },
      },
    })
    expect(operation('POST /ships').notes.join()).toContain('holds itself')
    const { properties, required } = tool('POST /ships/{id}/moor').inputSchema
    expect(Object.keys(properties as object)).toEqual(['id', 'name', 'role', 'berth'])
    expect(required).toEqual(['id', 'berth'])
  })

  test('claims of its tools what the methods of HTTP promise', () => {
    expect(tool('GET /ships').annotations).toEqual({ readOnly: true })
    expect(tool('DELETE /ships/{id}').annotations).toEqual({ destructive: true, idempotent: true })
    expect(tool('POST /ships').annotations).toEqual({})
  })

  test('is read in YAML too, with the same result', () => {
    const yaml = [
      'openapi: 3.1.0',
      'info: {title: Tide, version: 1.0}',
      'servers:',
      '  - url: https://tide.example',
      'paths:',
      '  /tides/{place}:',
      '    get:',
      '      operationId: tide',
      '      description: >-',
      '        Says when the water',
      '        is high.',
      '      parameters:',
      '      - name: place',
      '        in: path',
      '        required: true',
      '        schema: {type: string}',
    ].join('\n')
    expect(readOpenApi(yaml)).toMatchObject({ title: 'Tide', operations: [{ id: 'GET /tides/{place}', name: 'tide' }] })
    expect(toolsOfOpenApi(yaml, 'https://tide.example', [{ id: 'GET /tides/{place}', name: 'tide' }])).toMatchObject([
      { url: 'https://tide.example/tides/{place}', description: 'Says when the water is high.' },
    ])
  })

  test.each([
    ['', 'There is nothing to read yet.'],
    ['{"swagger":"2.0"}', 'This is a Swagger 2.0 document.'],
    ['{"openapi":"4.0.0"}', 'This is OpenAPI 4.0.0.'],
    ['{"a":1}', 'This is no OpenAPI document'],
    ['{"a":', 'This is no JSON.'],
    ['a: [1', 'This is neither valid JSON nor valid YAML. Line'],
    ['just words', 'This is no OpenAPI document: it is no object.'],
  ])('that is none is refused in words: %j', (given, words) => {
    expect(refusal(() => readOpenApi(given))).toContain(words)
  })

  test('is never put behind an address that leads elsewhere', () => {
    expect(baseFault(BASE)).toBeUndefined()
    for (const base of [
      'http://harbour.example',
      'https://{region}.example',
      'https://a.example/{x}',
      'https://a.example/?b=',
    ])
      expect(baseFault(base)).toBeDefined()
  })
})

describe('a hostile document', () => {
  const within = <T>(deed: () => T): T => {
    const began = performance.now()
    const value = deed()
    expect(performance.now() - began).toBeLessThan(20_000)
    return value
  }

  test('of 50 MB is not read', () => {
    expect(refusal(() => readOpenApi(`{"openapi":"3.0.0","x":"${'x'.repeat(50 << 20)}"}`))).toContain(
      'over the 20 MiB that are read',
    )
  })

  test('whose schemas multiply by reference is bounded', () => {
    const schemas: Record<string, object> = { s0: { type: 'string' } }
    for (let at = 1; at <= 30; at += 1) {
      const part = { $ref: `#/components/schemas/s${at - 1}` }
      schemas[`s${at}`] = { type: 'object', properties: { a: part, b: part, c: part, d: part } }
    }
    const paths = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `/p${at}`,
        {
          post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/s30' } } } } },
        },
      ]),
    )
    const document = minimal(paths, { components: { schemas } })
    const read = within(() => readOpenApi(document))
    expect(read.operations[0]?.notes.join()).toContain('too large or too deep')
    const [made] = within(() => toolsOfOpenApi(document, BASE, [{ id: 'POST /p0', name: 'a' }]))
    expect(JSON.stringify(made).length).toBeLessThan(100_000)
  })

  test('whose references go in circles, upwards or to others ends, and fetches nothing', () => {
    const schema = (ref: string) => ({
      post: { requestBody: { required: true, content: { 'application/json': { schema: { $ref: ref } } } } },
    })
    const document = minimal(
      {
        '/a': schema('#/components/schemas/round'),
        '/b': schema('https://evil.example/schema.json'),
        '/c': schema('#/__proto__/polluted'),
        '/d': schema('#/paths'),
        '/e': { $ref: '#/paths/~1e' },
        '/f': schema('file:///etc/passwd'),
      },
      {
        components: {
          schemas: { round: { $ref: '#/components/schemas/square' }, square: { $ref: '#/components/schemas/round' } },
        },
      },
    )
    const { operations } = within(() => readOpenApi(document))
    expect(operations.map(({ id }) => id)).toEqual(['POST /a', 'POST /b', 'POST /c', 'POST /d', 'POST /f'])
    expect(operations[1]?.notes.join()).toContain('not in the document')
    expect(operations[2]?.notes.join()).toContain('not in the document')
  })

  test('with names of prototypes, and with everything of the wrong kind, is read without harm', () => {
    const document = `{"openapi":"3.1.0","info":7,"servers":{"url":1},"security":"x","tags":null,"components":{"securitySchemes":[1]},
      "paths":{"__proto__":{"get":{}},"/a":{"get":{"operationId":{"a":1},"tags":"x","parameters":{"in":"query"},"requestBody":[],
      "summary":9}},"/b":{"post":{"parameters":[1,null,{"name":"__proto__","in":"query","schema":{"properties":{"__proto__":{"type":"string"}}}}],
      "requestBody":{"content":{"application/json":{"schema":{"type":"object","required":"x","properties":{"__proto__":{"type":"string"},"constructor":{}}}}}}}},
      "/c":7,"d":{"get":{}},"/e":{"get":3,"constructor":{}}}}`
    const { operations } = readOpenApi(document)
    expect(operations.map(({ id }) => id)).toEqual(['GET /a', 'POST /b'])
    const [made] = toolsOfOpenApi(document, BASE, [{ id: 'POST /b', name: 'b' }])
    expect(Object.keys(made?.inputSchema['properties'] as object)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['type']).toBeUndefined()
  })

  test('with very many operations is cut, and says so', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`/p${at}`, { get: { operationId: 'same' } }]),
    )
    const { operations, notes } = within(() => readOpenApi(minimal(paths)))
    expect(operations).toHaveLength(2000)
    expect(new Set(operations.map(({ name }) => name)).size).toBe(2000)
    expect(notes.join()).toContain('more than 2000 operations')
  })
})
