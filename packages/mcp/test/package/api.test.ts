import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'

interface Entry {
  name: string
  names: { name: string; sentence: string }[]
}
interface WriteApi {
  apiFile: string
  publicNames(): Entry[]
  apiText(found: Entry[]): string
}

/** Plain JavaScript, which this project does not type-check. */
const script: string = new URL('../../write-api.mjs', import.meta.url).href
let api: WriteApi
let found: Entry[]
beforeAll(async () => {
  api = (await import(script)) as WriteApi
  found = api.publicNames()
})

test('every public name is introduced by a sentence', () => {
  const bare = found.flatMap((entry) => entry.names.filter(({ sentence }) => !sentence).map(({ name }) => name))
  expect(found.map((entry) => entry.names.length > 0)).toEqual([true, true, true])
  expect(bare).toEqual([])
})

test('docs/api.md says what the sources say; npm run api -w packages/mcp writes it anew', () => {
  expect(readFileSync(api.apiFile, 'utf8')).toBe(api.apiText(found))
})
