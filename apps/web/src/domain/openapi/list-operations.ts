import type { CustomToolMethod } from '../custom-tool.ts'
import { resolved } from './follow-reference.ts'
import { isJson, type Json, memberOf, textOf } from './read-document.ts'

export const MAX_OPERATIONS = 2000
const METHODS: Readonly<Record<string, CustomToolMethod>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
}

/** An operation of a document, found and not yet read. */
export interface Found {
  id: string
  path: string
  method: CustomToolMethod
  item: Json
  operation: Json
  /** For models, and no other's in this document. */
  name: string
}

/** The operations of a document in its order, each with a name of its own. */
export function listOperations(document: Json): { operations: Found[]; isCut: boolean; others: number } {
  const operations: Found[] = []
  const names = new Set<string>()
  let others = 0
  const paths = memberOf(document, 'paths')
  for (const [path, given] of isJson(paths) ? Object.entries(paths) : []) {
    const item = resolved(document, given)
    if (!path.startsWith('/') || !isJson(item)) continue
    for (const [word, operation] of Object.entries(item)) {
      if (/^(head|options|trace|query)$/.test(word)) others += 1
      if (!Object.hasOwn(METHODS, word) || !isJson(operation)) continue
      if (operations.length >= MAX_OPERATIONS) return { operations, isCut: true, others }
      const method = METHODS[word] ?? 'GET'
      const name = unlike(names, nameOf(operation, word, path))
      names.add(name)
      operations.push({ id: `${method} ${path}`, path, method, item, operation, name })
    }
  }
  return { operations, isCut: false, others }
}

function nameOf(operation: Json, method: string, path: string): string {
  const given = textOf(operation['operationId'], 200) || `${method}${path}`
  const name = given.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '')
  return name.slice(0, 50) || method
}

/** The name, with a number where another has it. */
function unlike(names: ReadonlySet<string>, name: string): string {
  let free = name
  for (let count = 2; names.has(free); count += 1) free = `${name.slice(0, 49 - String(count).length)}_${count}`
  return free
}
