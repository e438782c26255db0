import { fingerprintToolDefinition, type Tool } from '@switchboard/mcp'
import type { FoundTool } from '#domain/server.ts'
import {
  annotationsOf,
  describeToModel,
  descriptionOf,
  problemOf,
  titleOf,
  type ToolForModel,
} from './describe-tool.ts'
import { type ClaimedApp, claimedApp } from './apps/claimed-app.ts'
import { warningsOf } from './warnings-of.ts'

export const MAX_TOOLS = 1000

/** A tool of a server, looked at: what is kept and shown of it, and, where it can be used, what a model is told. */
export interface ListedTool {
  definition: Tool
  found: FoundTool
  forModel?: ToolForModel
}

/** Looks at what a server lists, tool by tool: a bad one takes nothing from the others. In the order of their names. */
export async function readTools(tools: readonly Tool[], endpoint: string): Promise<ListedTool[]> {
  const byName = new Map<string, ListedTool>()
  for (const definition of tools.slice(0, MAX_TOOLS)) {
    const listed = await readTool(definition, endpoint)
    const { name, fingerprint } = listed.found
    const twin = byName.get(name)
    if (!twin) byName.set(name, listed)
    // Which of the two would be called, only the server knows.
    else if (twin.found.fingerprint !== fingerprint)
      byName.set(name, withProblem(twin, 'It is listed twice, in different words.'))
  }
  return [...byName.values()].sort((one, other) => (one.found.name < other.found.name ? -1 : 1))
}

/** The tool, which cannot be used where there is a problem. */
export const withProblem = (tool: ListedTool, problem: string | undefined): ListedTool =>
  problem === undefined ? tool : { definition: tool.definition, found: { ...tool.found, problem } }

async function readTool(definition: Tool, endpoint: string): Promise<ListedTool> {
  const claims = definition as unknown as Record<string, unknown>
  const fingerprint = await fingerprintToolDefinition(definition, { endpoint })
  const app: ClaimedApp = claimedApp(definition)
  const problem = problemOf(claims) ?? app.problem
  const warnings = problem === undefined ? warningsOf(claims) : []
  const found: FoundTool = {
    name: definition.name.slice(0, 1000),
    title: titleOf(claims),
    description: descriptionOf(claims),
    schemaSize: JSON.stringify(claims['inputSchema'] ?? {}).length,
    fingerprint,
    annotations: annotationsOf(definition.annotations),
    ...app.found,
    ...(!app.isForModel && { modelMayCall: false }),
    ...(problem !== undefined && { problem }),
    ...(warnings.length > 0 && { warnings }),
  }
  return { definition, found, ...(problem === undefined && app.isForModel && { forModel: describeToModel(claims) }) }
}
