import type { CustomToolInput, CustomToolMethod, CustomToolPlace } from '../custom-tool.ts'
import { placesIn } from '../custom-tool-address.ts'
import { hasBody } from '../fill-request.ts'
import { isSafeHeader } from '../safe-header.ts'
import { resolved } from './follow-reference.ts'
import { inlineSchema, membersOf, newBudget } from './inline-schema.ts'
import { isJson, type Json, memberOf, textOf } from './read-document.ts'

/** An operation as a tool, but for its name and for where its API is. */
export interface ReadOperation {
  tool: Omit<CustomToolInput, 'name' | 'url'>
  /** Behind the base address, with {places}. */
  path: string
  /** An address of its own, where the document gives it one. */
  base?: string
  /** What differs from the document, in words. */
  notes: string[]
  /** Why no tool can be made of it. */
  problem?: string
}

const MAX_PARAMETERS = 100
/** What models take as the name of an argument. */
const ARGUMENT_NAME = /^[A-Za-z0-9_.-]{1,64}$/
/** The document's own words say that these are not described as parameters. */
const DESCRIBED_ELSEWHERE = /^(accept|content-type|authorization)$/i

interface Argument {
  schema: Json
  place: CustomToolPlace
  wireName: string
  isRequired: boolean
}

/** Makes a tool of one operation. `item` is its path with all methods, `operation` what the method says. */
export function readOperation(
  document: Json,
  { path, method, item, operation }: { path: string; method: CustomToolMethod; item: Json; operation: Json },
): ReadOperation {
  const budget = newBudget()
  const notes = budget.notes
  const args = new Map<string, Argument>()
  let problem: string | undefined
  let address = path

  const nameFor = (wireName: string, place: CustomToolPlace): string => {
    const plain = ARGUMENT_NAME.test(wireName)
      ? wireName
      : wireName.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 60) || 'value'
    let name = plain
    for (let count = 1; args.has(name); count += 1)
      name = count === 1 ? `${plain}_${place}`.slice(0, 64) : `${plain}_${place}_${count}`
    if (name !== wireName) notes.add(`“${textOf(wireName, 60)}” (${place}) is called ${name} here.`)
    return name
  }

  for (const parameter of parametersOf(document, item, operation)) {
    const wireName = textOf(parameter['name'], 200)
    const place = parameter['in']
    const isRequired = parameter['required'] === true || place === 'path'
    const schema = parameter['schema']
    const description = textOf(parameter['description'], 500)
    const without = (why: string): void => {
      notes.add(`“${textOf(wireName, 60)}” is left out: ${why}.${isRequired ? ' The document calls it required.' : ''}`)
    }
    if (wireName === '') continue
    if (place === 'cookie') without('cookies are not sent')
    else if (place === 'header' && DESCRIBED_ELSEWHERE.test(wireName)) continue
    else if (place === 'header' && !isSafeHeader(wireName)) without('the browser or the app sets this header itself')
    else if (place !== 'path' && place !== 'query' && place !== 'header') without('it is not said where it goes')
    else if (place === 'path' && !placesIn(path).includes(wireName)) continue
    else if (!isJson(schema) && place !== 'path') without('it is encoded in a way of its own')
    else {
      const inlined = inlineSchema(document, schema ?? { type: 'string' }, budget)
      if (place === 'query' && inlined['type'] === 'object') {
        without('it is an object in the query')
        continue
      }
      if (place === 'query' && inlined['type'] === 'array' && parameter['explode'] === false)
        notes.add(`“${textOf(wireName, 60)}” is sent once for each value, where the document wants them in one.`)
      const name = nameFor(wireName, place)
      if (place === 'path' && name !== wireName) address = address.replaceAll(`{${wireName}}`, `{${name}}`)
      args.set(name, { schema: { ...inlined, ...(description && { description }) }, place, wireName, isRequired })
    }
  }
  for (const wireName of placesIn(path)) {
    if ([...args.values()].some((one) => one.place === 'path' && one.wireName === wireName)) continue
    const name = nameFor(wireName, 'path')
    if (name !== wireName) address = address.replaceAll(`{${wireName}}`, `{${name}}`)
    notes.add(`“${textOf(wireName, 60)}” is a part of the path that the document does not describe.`)
    args.set(name, { schema: { type: 'string' }, place: 'path', wireName, isRequired: true })
  }

  const body = resolved(document, operation['requestBody'])
  let isForm = false
  if (isJson(body)) {
    const type = jsonType(body['content']) ?? formType(body['content'])
    const isRequired = body['required'] === true
    if (!hasBody(method)) notes.add(`Its body is left out: a ${method} has none here.`)
    else if (type === undefined) {
      notes.add('Its body is neither JSON nor a plain form, and is left out.')
      if (isRequired)
        problem = 'It needs a body that is neither JSON nor a plain form (a file, say), which is not sent from here.'
    } else {
      isForm = type === FORM
      if (!isForm && type !== 'application/json')
        notes.add(`Its body is sent as application/json, not as ${textOf(type, 60)}.`)
      const schema = inlineSchema(document, memberOf(memberOf(body['content'], type), 'schema'), budget)
      const members = membersOf(schema)
      if (members)
        for (const [wireName, member] of members.properties) {
          if (isForm && member['type'] === 'object')
            notes.add(`“${textOf(wireName, 60)}” is an object in a form, and is sent as JSON.`)
          args.set(nameFor(wireName, 'body'), {
            schema: member,
            place: 'body',
            wireName,
            isRequired: isRequired && members.required.has(wireName),
          })
        }
      else if (!isForm) {
        const name = nameFor('body', 'body')
        notes.add(`Its whole body is the argument ${name}.`)
        args.set(name, { schema, place: 'body', wireName: '', isRequired })
      }
    }
  }

  const required = [...args].filter(([, { isRequired }]) => isRequired).map(([name]) => name)
  const renamed = [...args].filter(([name, { place, wireName }]) => place !== 'path' && name !== wireName)
  const base = serverOf(operation, item)
  if (base !== undefined) notes.add(`It is asked at ${base}, by the document's own words.`)
  return {
    tool: {
      description: descriptionOf(operation, method, path),
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries([...args].map(([name, { schema }]) => [name, schema])),
        ...(required.length > 0 && { required }),
      },
      method,
      ...(isForm && { bodyType: 'form' as const }),
      places: Object.fromEntries([...args].map(([name, { place }]) => [name, place])),
      ...(renamed.length > 0 && {
        wireNames: Object.fromEntries(renamed.map(([name, { wireName }]) => [name, wireName])),
      }),
      annotations: annotationsOf(method),
    },
    path: address,
    ...(base !== undefined && { base }),
    notes: [...notes],
    ...(problem !== undefined && { problem }),
  }
}

/** Those of the path and those of the method, which count where both name one. */
function parametersOf(document: Json, item: Json, operation: Json): Json[] {
  const listed = [item['parameters'], operation['parameters']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  )
  const byKey = new Map<string, Json>()
  for (const one of listed.slice(0, MAX_PARAMETERS)) {
    const parameter = resolved(document, one)
    if (isJson(parameter)) byKey.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter)
  }
  // Those of the path first: they keep their names where another has the same.
  return [...byKey.values()].sort((a, b) => Number(b['in'] === 'path') - Number(a['in'] === 'path'))
}

function jsonType(content: unknown): string | undefined {
  if (!isJson(content)) return undefined
  const types = Object.keys(content).slice(0, 50)
  return (
    types.find((type) => /^application\/json\b/i.test(type)) ??
    types.find((type) => /^[\w.+-]+\/[\w.+-]*json\b/i.test(type) || type === '*/*')
  )
}

const FORM = 'application/x-www-form-urlencoded'

const formType = (content: unknown): string | undefined => (memberOf(content, FORM) === undefined ? undefined : FORM)

function serverOf(operation: Json, item: Json): string | undefined {
  const [first] = [operation['servers'], item['servers']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  )
  const url = textOf(memberOf(first, 'url'), 1000)
  return /^https?:\/\/[^{}]+$/i.test(url) ? url : undefined
}

function descriptionOf(operation: Json, method: string, path: string): string {
  const summary = textOf(operation['summary'], 200)
  const description = textOf(operation['description'], 500)
  const said = [summary, description === summary ? '' : description].filter(Boolean).join('\n')
  return textOf(said, 500) || `${method} ${path}`.slice(0, 500)
}

/** What the methods of HTTP promise by themselves. */
function annotationsOf(method: CustomToolMethod): CustomToolInput['annotations'] {
  if (method === 'GET') return { readOnly: true }
  if (method === 'DELETE') return { destructive: true, idempotent: true }
  return method === 'PUT' ? { idempotent: true } : {}
}
