import type { CustomToolPlace } from '../custom-tool.ts'
import { addressFault } from '../custom-tool-address.ts'
import { Failed } from '../failure.ts'
import { listOperations, MAX_OPERATIONS } from './list-operations.ts'
import { proposeAuthentication, type SignInProposal } from './propose-authentication.ts'
import { isJson, type Json, memberOf, readDocument, textOf } from './read-document.ts'
import { type ReadOperation, readOperation } from './read-operation.ts'

/** What is shown of an operation before it becomes a tool. */
export interface OfferedOperation {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  isDeprecated: boolean
  name: string
  arguments: { name: string; place: CustomToolPlace; isRequired: boolean }[]
  notes: string[]
  problem?: string
}

/** What was understood of a document. */
export interface OpenApiReading {
  title: string
  version: string
  description: string
  /** Where the API is, by its own words; some may need a host of the user's. */
  servers: { url: string; description: string }[]
  signIn: SignInProposal[]
  operations: OfferedOperation[]
  notes: string[]
}

const MAX_SERVERS = 20
const MAX_SHOWN_ARGUMENTS = 40

/** Reads an OpenAPI document of version 3. Nothing is fetched. Rejects with `Failed`. */
export function readOpenApi(text: string): OpenApiReading {
  const document = openApiDocument(text)
  const { operations, isCut, others } = listOperations(document)
  const info = document['info']
  const read = operations.map((found) => ({ found, tool: readOperation(document, found) }))
  const servers = withCommonBase(
    serversOf(document),
    read.map(({ tool }) => tool.base),
  )
  return {
    title: textOf(memberOf(info, 'title'), 100),
    version: wordOf(memberOf(info, 'version')),
    description: textOf(memberOf(info, 'description'), 500),
    servers,
    signIn: proposeAuthentication(document),
    operations: read.map(({ found, tool }) => {
      const { method, path, operation, id, name } = found
      const [tag] = Array.isArray(operation['tags']) ? (operation['tags'] as unknown[]) : []
      return {
        id,
        method,
        path: path.slice(0, 500),
        tag: textOf(tag, 60),
        summary: textOf(operation['summary'], 200) || textOf(operation['description'], 200),
        isDeprecated: operation['deprecated'] === true,
        name,
        ...offered(tool),
      }
    }),
    notes: [
      ...(operations.length === 0 ? ['It holds no operations: there is nothing to make tools of.'] : []),
      ...(isCut ? [`It holds more than ${MAX_OPERATIONS} operations; the rest is left out.`] : []),
      ...(others > 0 ? [`${others} operations (HEAD, OPTIONS, TRACE) are left out.`] : []),
      ...(isJson(document['webhooks']) ? ['Its webhooks are left out: nobody calls this app.'] : []),
      ...(servers.length === 0 ? ['It does not say where the API is. Enter its address.'] : []),
    ],
  }
}

/** A document of a version that is understood. */
export function openApiDocument(text: string): Json {
  const document = readDocument(text)
  const { openapi, swagger } = document
  if (swagger !== undefined)
    throw new Failed(
      'bad-input',
      'This is a Swagger 2.0 document. Only OpenAPI 3.0 and 3.1 are read here: convert it first, for example with the editor of its authors.',
    )
  if (openapi === undefined)
    throw new Failed('bad-input', 'This is no OpenAPI document: it has no “openapi” with a version at its beginning.')
  if (!/^3\.[0-2](\.|$)/.test(wordOf(openapi)))
    throw new Failed('bad-input', `This is OpenAPI ${wordOf(openapi)}. Versions 3.0 and 3.1 are understood here.`)
  return document
}

function offered({ tool, notes, problem }: ReadOperation): Pick<OfferedOperation, 'arguments' | 'notes' | 'problem'> {
  const required = new Set(
    Array.isArray(tool.inputSchema['required']) ? (tool.inputSchema['required'] as unknown[]) : [],
  )
  return {
    arguments: Object.entries(tool.places)
      .slice(0, MAX_SHOWN_ARGUMENTS)
      .map(([name, place]) => ({ name, place, isRequired: required.has(name) })),
    notes: notes.slice(0, 20),
    ...(problem !== undefined && { problem }),
  }
}

/** Some say of each path where it is, and not of the whole: where most are is then the first choice. */
function withCommonBase(
  servers: OpenApiReading['servers'],
  bases: readonly (string | undefined)[],
): OpenApiReading['servers'] {
  const [first] = bases
  const isCommon = first !== undefined && bases.filter((base) => base === first).length * 2 > bases.length
  if (!isCommon) return servers
  return [{ url: first, description: 'where most operations are' }, ...servers.filter(({ url }) => url !== first)]
}

/** In YAML a version may be a number. */
const wordOf = (value: unknown): string => textOf(typeof value === 'number' ? String(value) : value, 50)

function serversOf(document: Json): OpenApiReading['servers'] {
  const listed = Array.isArray(document['servers']) ? document['servers'].filter(isJson).slice(0, MAX_SERVERS) : []
  return listed.flatMap((server) => {
    const url = withDefaults(textOf(server['url'], 1000), server['variables'])
    // One without a host is known only to whom the document came from.
    return addressFault(url) === undefined || url.startsWith('http')
      ? [{ url: url.replace(/\/+$/, ''), description: textOf(server['description'], 100) }]
      : []
  })
}

const withDefaults = (url: string, variables: unknown): string =>
  url.replace(
    /\{([^{}]+)\}/g,
    (place, name: string) => textOf(memberOf(memberOf(variables, name), 'default'), 200) || place,
  )
