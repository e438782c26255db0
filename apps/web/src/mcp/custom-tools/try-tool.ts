import type { CustomToolInput } from '#domain/custom-tool.ts'
import { Failed, type Failure } from '#domain/failure.ts'
import { fillRequest } from '#domain/fill-request.ts'
import { secretId } from '#domain/sealed.ts'
import type { Server } from '#domain/server.ts'
import type { SchemaChecks } from '../check-schema.ts'
import type { Companion } from '../companion.ts'
import { credentialsOf } from '../credentials.ts'
import { failureOf } from '../failure-of.ts'
import { isObject } from '../judge-schema.ts'
import type { McpNeeds } from '../needs.ts'
import { readArguments } from '../read-arguments.ts'
import { isOwnOrigin, runTool } from './run-tool.ts'

/** A request as it is shown: of headers that say who asks only their names. */
export interface ShownRequest {
  method: string
  url: string
  headers: { name: string; value?: string }[]
  body?: string
}

/** What became of one call of a tool that need not be saved yet. */
export interface Trial {
  request?: ShownRequest
  status?: number
  outcome?: { content: Record<string, unknown>[]; structuredContent?: unknown; isError: boolean; size: number }
  failure?: Failure
}

export interface TrialInput {
  server: Server
  tool: CustomToolInput
  /** As JSON text. */
  arguments: string
}

/** Calls a tool as it was entered, once, as it would be called later. Tells every failure, and throws none. */
export async function tryTool(
  { server, tool, arguments: text }: TrialInput,
  needs: McpNeeds,
  companion: Companion,
  checks: SchemaChecks,
  signal: AbortSignal,
): Promise<Trial> {
  const trial: Trial = {}
  let secrets: readonly string[] = []
  try {
    const args = readArguments(text, tool.name)
    const verdict = await checks.check(tool.inputSchema, text)
    if (verdict.outcome === 'unfit')
      throw new Failed('bad-arguments', `The arguments do not fit the schema. ${verdict.faults.join(' ')}`)
    if (verdict.outcome === 'unusable')
      throw new Failed('bad-input', `The arguments could not be checked: the schema ${verdict.problem}.`)
    const credentials = await credentialsOf(server, (field) =>
      needs.secrets.open(secretId('mcpServers', server.id, field)),
    )
    secrets = credentials.secrets
    trial.request = shown(fillRequest(tool, args), server.url, Object.keys(credentials.headers))
    const collection = { server, credentials, companion, appOrigin: needs.companion.origin, fetch: needs.fetch }
    const { result, status } = await runTool(tool, args, collection, { signal })
    const { structuredContent } = result
    return {
      ...trial,
      status,
      outcome: {
        content: (result.content as unknown[]).filter(isObject),
        isError: result.isError === true,
        size: new TextEncoder().encode(JSON.stringify(result)).length,
        ...(structuredContent !== undefined && { structuredContent }),
      },
    }
  } catch (error) {
    const about = { server, secrets, appOrigin: needs.companion.origin, now: needs.now(), tool: tool.name, signal }
    return { ...trial, failure: failureOf(error, about).failure }
  }
}

function shown(
  { method, url, headers, body }: ReturnType<typeof fillRequest>,
  base: string,
  credentialNames: readonly string[],
): ShownRequest {
  const secret = isOwnOrigin(url, base) ? credentialNames : []
  const open = Object.entries(headers).filter(([name]) => !secret.includes(name))
  return {
    method,
    url,
    headers: [...open.map(([name, value]) => ({ name, value })), ...secret.map((name) => ({ name }))],
    ...(body !== undefined && { body }),
  }
}
