import type { Connection } from '../client/connection.ts'
import { reportLeftOut } from '../client/report-left-out.ts'
import { must } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { type Caller, convertTool, type Origin } from './convert-tool.ts'
import { type ModelOutput, toModelOutput, unwrapOutput } from './to-model-output.ts'
import type { ToolSchemas, ToolSetOf, ToolsOptions } from './tool-set.ts'

/** All tools of the server, or those that `schemas` names, for the AI SDK. */
export async function tools<S extends ToolSchemas = 'automatic'>(
  connection: Connection,
  client: Caller,
  options?: ToolsOptions<S>,
): Promise<ToolSetOf<S>> {
  return toolsFromDefinitions(connection, client, await client.listTools(), options)
}

/** The same from definitions that are there already: nothing is asked. */
export function toolsFromDefinitions<S extends ToolSchemas = 'automatic'>(
  connection: Connection,
  client: Caller,
  definitions: { tools: readonly unknown[] },
  { schemas, onProgress }: ToolsOptions<S> = {},
): ToolSetOf<S> {
  must(Array.isArray(definitions?.tools), 'The definitions must be what listTools() gives')
  const wanted: Exclude<ToolSchemas, 'automatic'> = schemas === 'automatic' ? undefined : schemas
  must(wanted === undefined || isObject(wanted), "schemas must be an object, or 'automatic'")
  for (const [name, own] of Object.entries(wanted ?? {}))
    must(/^(object|function)$/.test(typeof own?.inputSchema), `${name} needs an inputSchema`)
  const origin: Origin = { connection, client, onProgress, parts: 6 }
  const untyped = modelOutputOf(origin, false)
  const typed = modelOutputOf(origin, true)
  // Names are the server's choice: `__proto__` has to be one like any other.
  const found = Object.create(null) as JsonObject
  for (const definition of definitions.tools as unknown[]) {
    const name = isObject(definition) ? definition['name'] : undefined
    try {
      if (typeof name !== 'string') throw new TypeError('it has no name')
      if (wanted && !Object.hasOwn(wanted, name)) continue
      const own = wanted?.[name]
      found[name] = convertTool(origin, name, definition as JsonObject, own, own?.outputSchema ? typed : untyped)
    } catch (cause) {
      reportLeftOut(connection, name, cause)
    }
  }
  return found as ToolSetOf<S>
}

const modelOutputOf =
  (origin: Origin, typed: boolean) =>
  (given: unknown): ModelOutput => {
    const { output, before6 } = unwrapOutput(given)
    // What a schema of the user let through is data, whatever its members are called.
    if (typed && !(isObject(output) && output['isError'] === true)) return { type: 'json', value: output ?? null }
    return toModelOutput(output, before6 ? 5 : origin.parts)
  }
