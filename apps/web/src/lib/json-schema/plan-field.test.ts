import { describe, expect, test } from 'vitest'
import { planField } from './plan-field.ts'

const plan = (schema: unknown) => planField(schema, schema)
const kindOf = (schema: unknown) => plan(schema).kind

describe('what is drawn', () => {
  test.each([
    ['a text', { type: 'string' }, { kind: 'text', long: false, format: 'plain' }],
    ['a long text', { type: 'string', maxLength: 5000 }, { kind: 'text', long: true }],
    ['an address', { type: 'string', format: 'uri' }, { kind: 'text', format: 'uri' }],
    ['a whole number', { type: 'integer' }, { kind: 'number', integer: true }],
    ['a yes or no', { type: 'boolean' }, { kind: 'boolean' }],
    [
      'one of a few',
      { enum: ['a', 2] },
      {
        kind: 'choice',
        options: [
          { value: 'a', label: 'a' },
          { value: 2, label: '2' },
        ],
      },
    ],
    [
      'one of a few with names',
      { enum: ['a', 'b'], enumNames: ['Ah'] },
      {
        options: [
          { value: 'a', label: 'Ah' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [
      'titled constants',
      { oneOf: [{ const: 'a', title: 'Ah' }, { const: 1 }] },
      {
        kind: 'choice',
        options: [
          { value: 'a', label: 'Ah' },
          { value: 1, label: '1' },
        ],
      },
    ],
    ['any of a few', { type: 'array', items: { enum: ['a'] } }, { kind: 'choices' }],
    [
      'any of a few titled',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'Ah' }] } },
      { kind: 'choices', options: [{ value: 'a', label: 'Ah' }] },
    ],
    [
      'a list',
      { type: 'array', items: { type: 'string' }, maxItems: 3 },
      { kind: 'array', first: [], rest: { schema: { type: 'string' } }, most: 3 },
    ],
    ['a tuple', { prefixItems: [{ type: 'string' }], items: false }, { kind: 'array', first: [{ type: 'string' }] }],
    [
      'a tuple of the old kind',
      { items: [{ type: 'string' }, {}] },
      { kind: 'array', first: [{ type: 'string' }, {}] },
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'number' } },
      { kind: 'object', properties: [], rest: { schema: { type: 'number' } } },
    ],
    [
      'an object that takes nothing',
      { type: 'object', additionalProperties: false },
      { kind: 'object', properties: [] },
    ],
    ['a constant', { const: 4 }, { kind: 'constant', value: 4 }],
    ['a text or null', { type: ['string', 'null'] }, { kind: 'text', nullable: true }],
    [
      'a number or null, as a union',
      { anyOf: [{ type: 'number' }, { type: 'null' }] },
      { kind: 'number', nullable: true },
    ],
    [
      'two types',
      { type: ['string', 'number'] },
      { kind: 'union', branches: [{ label: 'Text' }, { label: 'Number' }] },
    ],
    ['nothing that is said', {}, { kind: 'union' }],
    ['an object that nobody called one', { properties: { a: {} } }, { kind: 'object' }],
  ])('%s', (_, schema, expected) => expect(plan(schema)).toMatchObject(expected))

  test('branches of a union have what stands around them, and are told apart', () => {
    const drawn = plan({
      properties: { all: { type: 'string' } },
      required: ['all'],
      oneOf: [
        { title: 'By name', properties: { name: { type: 'string' } }, required: ['name'] },
        { properties: { kind: { const: 'id' }, id: { type: 'number' } } },
      ],
    })
    expect(drawn.kind).toBe('union')
    if (drawn.kind !== 'union') return
    expect(drawn.branches.map(({ label }) => label)).toEqual(['By name', 'kind: id'])
    expect(planField({}, drawn.branches[0]?.schema)).toMatchObject({
      properties: [
        { key: 'all', required: true },
        { key: 'name', required: true },
      ],
    })
  })

  test('branches that only say what goes together leave the object an object', () => {
    const anyOf = [{ required: ['a'] }, { required: ['b'] }]
    expect(plan({ type: 'object', properties: { a: {}, b: {} }, anyOf })).toMatchObject({
      kind: 'object',
      properties: [{ key: 'a' }, { key: 'b' }],
    })
  })

  test('parts that are all meant are one, and what is needed comes first', () => {
    const drawn = plan({
      allOf: [{ properties: { a: { type: 'string', maxLength: 9 } } }, { $ref: '#/$defs/more' }],
      properties: { a: { title: 'The first' } },
      $defs: { more: { properties: { b: { type: 'number' } }, required: ['b'] } },
    })
    if (drawn.kind !== 'object') throw new Error(drawn.kind)
    expect(drawn.properties.map(({ key }) => key)).toEqual(['b', 'a'])
    expect(planField({}, drawn.properties[1]?.schema)).toMatchObject({
      kind: 'text',
      title: 'The first',
      hints: ['at most 9 characters'],
    })
  })

  test('references inside the document are followed, by pointer and by name', () => {
    const root = { $defs: { 'a/b': { type: 'number' }, c: { $anchor: 'sea', type: 'boolean' } } }
    expect(planField(root, { $ref: '#/$defs/a~1b' }).kind).toBe('number')
    expect(planField(root, { $ref: '#/%24defs/a~1b' }).kind).toBe('number')
    expect(planField(root, { $ref: '#sea', description: 'wet' })).toMatchObject({ kind: 'boolean', description: 'wet' })
  })

  test('what a stranger says is cut and shown for what it is', () => {
    const { title, description, hints } = plan({
      type: 'string',
      title: `ok\u202Eko${'x'.repeat(500)}`,
      description: 'y'.repeat(1e6),
      pattern: `^(a+)+${'z'.repeat(1e5)}$`,
    })
    expect(title).toMatch(/^ok⟨U\+202E⟩ko/)
    expect(title?.length).toBeLessThan(100)
    expect(description?.length).toBeLessThan(700)
    expect(hints.join('').length).toBeLessThan(120)
  })
})

describe('schemas made to harm', () => {
  test('a reference to another document is not followed: there is a field for JSON', () => {
    for (const $ref of ['https://evil.example/s.json', 'file:///etc/passwd', '//evil.example', 'other.json#/a'])
      expect(kindOf({ $ref })).toBe('json')
  })

  test('one that only holds itself ends, in whatever circle it runs', () => {
    expect(kindOf({ $ref: '#' })).toBe('json')
    expect(kindOf({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } })).toBe('json')
    expect(kindOf({ allOf: [{ $ref: '#' }, { $ref: '#' }] })).toBe('json')
    const bomb: Record<string, unknown> = { z: { type: 'string' } }
    for (let at = 0; at < 30; at++)
      bomb[`n${at}`] = {
        allOf: [{ $ref: `#/$defs/${at ? `n${at - 1}` : 'z'}` }, { $ref: `#/$defs/${at ? `n${at - 1}` : 'z'}` }],
      }
    expect(kindOf({ $defs: bomb, $ref: '#/$defs/n29' })).toBe('json')
    expect(kindOf({ anyOf: [{ $ref: '#' }, { type: 'string' }] })).toBe('union')
    expect(kindOf({ anyOf: [{ $ref: '#' }, { type: 'null' }] })).toBe('json')
  })

  test('a schema that holds itself as a part is drawn, a level at a time', () => {
    const tree = { properties: { children: { type: 'array', items: { $ref: '#' } } } }
    expect(kindOf(tree)).toBe('object')
  })

  test('properties called like what every object has are properties', () => {
    const schema: unknown = JSON.parse(
      '{"properties":{"__proto__":{"type":"number"},"constructor":{"type":"string"}},"required":["__proto__","toString"]}',
    )
    const drawn = plan(schema)
    if (drawn.kind !== 'object') throw new Error(drawn.kind)
    expect(drawn.properties.map(({ key, required }) => [key, required])).toEqual([
      ['__proto__', true],
      ['toString', true],
      ['constructor', false],
    ])
    expect(planField(schema, { $ref: '#/constructor' }).kind).toBe('json')
  })

  test('ten thousand choices are cut, and how many are missing is said', () => {
    const drawn = plan({ enum: Array.from({ length: 10_000 }, (_, at) => `c${at}`) })
    expect(drawn).toMatchObject({ kind: 'choice', more: 9_500 })
  })

  test.each([
    ['false', false],
    ['null', null],
    ['a number', 5],
    ['a list', []],
    ['a type that is none', { type: 'banana' }],
    ['a type that is an object', { type: {} }],
    ['properties that are a text', { type: 'object', properties: 'x' }],
    ['required that is a text', { type: 'object', required: 'x' }],
    ['branches that are none', { anyOf: [5, null, 'x'] }],
    ['choices that are a text', { enum: 'abc' }],
    ['items that are a number', { type: 'array', items: 5 }],
    ['a pattern that is an object', { type: 'string', pattern: {} }],
    ['numbers that are texts', { type: 'number', minimum: 'x' }],
    ['a property that is null', { properties: { a: null } }],
    ['texts that are numbers', { title: 5, description: [] }],
  ])('nonsense is drawn somehow: %s', (_, schema) => expect(() => plan(schema)).not.toThrow())

  test('a schema of a thousand levels is planned a level at a time', () => {
    let deep: unknown = { type: 'string' }
    for (let at = 0; at < 1_000; at++) deep = { type: 'object', properties: { a: deep } }
    expect(kindOf(deep)).toBe('object')
  })
})
