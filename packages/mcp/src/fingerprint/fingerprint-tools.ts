import { isObject, type JsonObject } from '../jsonrpc.ts'
import { canonicalJson } from './canonical-json.ts'
import { digest } from './digest.ts'
import { type FingerprintOptions, fingerprintToolDefinition } from './fingerprint-definition.ts'
import { jsonSchemaOf } from './json-schema-of.ts'

/** The digest of each tool, by its name; plain JSON. */
export type ToolFingerprints = Record<string, string>

/**
 * Pins tools as they are now; keep the result where somebody trusts them, and compare it later with `detectToolDrift`.
 *
 * A tool set is pinned by description, title and input schema, with the digests of `fingerprintTools` of `ai` 7. Definitions, the
 * result of `listTools()` or its tools, are pinned whole: see `fingerprintToolDefinition`.
 *
 * @example
 * const trusted = await fingerprintTools(await client.listTools(), { endpoint: url })
 * const { added, changed } = detectToolDrift(await fingerprintTools(await client.listTools(), { endpoint: url }), trusted)
 */
export async function fingerprintTools(
  tools: object | readonly object[],
  options: FingerprintOptions = {},
): Promise<ToolFingerprints> {
  const definitions = definitionsIn(tools)
  const entries = definitions
    ? definitions.map(async (tool) => [tool['name'] as string, await fingerprintToolDefinition(tool, options)] as const)
    : Object.entries(tools).map(async ([name, tool]) => [name, await ofTool(name, tool as JsonObject)] as const)
  const fingerprints = new Map<string, string>()
  for (const [name, print] of await Promise.all(entries)) {
    const before = fingerprints.get(name)
    // A second tool of the same name must not hide behind the first.
    fingerprints.set(name, before === undefined ? print : await digest(`${before} ${print}`))
  }
  return Object.fromEntries(fingerprints)
}

function definitionsIn(tools: object): JsonObject[] | undefined {
  const list: unknown = Array.isArray(tools) ? tools : (tools as JsonObject)['tools']
  // A set may hold a tool that is called `tools`.
  if (!Array.isArray(list)) return undefined
  return list.filter((tool): tool is JsonObject => isObject(tool) && typeof tool['name'] === 'string')
}

async function ofTool(name: string, tool: JsonObject): Promise<string> {
  const { description, title } = tool
  const inputSchema = await jsonSchemaOf(tool['inputSchema'], name)
  return digest(canonicalJson({ description: tag(description), inputSchema, title }, 'undefined'))
}

/** Tells a text from what the program makes of it, whatever the text. */
function tag(description: unknown): object {
  if (typeof description === 'string') return { type: 'string', value: description }
  return { type: description == null ? 'none' : 'function' }
}
