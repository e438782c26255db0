import { describe, expect, test } from 'vitest'
import type { CustomToolInput } from '#domain/custom-tool.ts'
import { freeName, freshTool, rowsOf, withNewRow, withoutRow, withRow } from './tool-draft.ts'

const tool: CustomToolInput = {
  ...freshTool('https://api.example/'),
  method: 'POST',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: { a: { type: 'string', pattern: '^x' }, b: { oneOf: [{}, {}], description: 'Either' } },
    required: ['a'],
  },
  places: { a: 'query' },
  wireNames: { a: 'A' },
}

describe('the rows of a tool', () => {
  test('show what they can', () => {
    expect(rowsOf(tool)).toEqual([
      { name: 'a', type: 'string', description: '', isRequired: true, place: 'query' },
      { name: 'b', type: 'other', description: 'Either', isRequired: false, place: 'body' },
    ])
  })

  test('change what was changed, and keep everything that they do not show', () => {
    const changed = withRow(tool, 'b', { description: 'Or', isRequired: true, place: 'header' })
    expect(changed.inputSchema).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { a: { type: 'string', pattern: '^x' }, b: { oneOf: [{}, {}], description: 'Or' } },
      required: ['a', 'b'],
    })
    expect(changed.places).toEqual({ a: 'query', b: 'header' })
  })

  test('take the place, the name on the way and the requirement along when an argument is renamed', () => {
    const renamed = withRow(tool, 'a', { name: 'c' })
    expect(renamed).toMatchObject({ places: { c: 'query' }, wireNames: { c: 'A' } })
    expect(renamed.inputSchema).toMatchObject({ required: ['c'], properties: { c: { pattern: '^x' } } })
    expect(Object.keys(renamed.inputSchema['properties'] as object)).toEqual(['c', 'b'])
  })

  test('do not let one argument swallow another', () => {
    expect(withRow(tool, 'a', { name: 'b' })).toBe(tool)
  })

  test('forget rules of a type that it has no more', () => {
    expect(withRow(tool, 'a', { type: 'number' }).inputSchema).toMatchObject({ properties: { a: { type: 'number' } } })
    expect(JSON.stringify(withRow(tool, 'a', { type: 'number' }))).not.toContain('pattern')
  })

  test('come and go, and leave nothing behind', () => {
    expect(rowsOf(withNewRow(tool, 'a')).map(({ name }) => name)).toEqual(['a', 'b', 'a_2'])
    const without = withoutRow(tool, 'a')
    expect(without).toMatchObject({ places: {} })
    expect(without.wireNames).toBeUndefined()
    expect(without.inputSchema['required']).toBeUndefined()
  })

  test('have free names of at most fifty characters', () => {
    const long = 'n'.repeat(60)
    expect(freeName(long, [])).toHaveLength(50)
    expect(freeName(long, ['n'.repeat(50)])).toBe(`${'n'.repeat(48)}_2`)
  })
})
