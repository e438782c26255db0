import { Failed } from '#domain/failure.ts'
import type { SchemaChecks } from '../check-schema.ts'
import type { FaultPlace } from '../place-fault.ts'
import { readArguments } from '../read-arguments.ts'
import type { ListedTool } from '../read-tools.ts'

/** What keeps these arguments from being sent, each at its field; nothing where they can be. */
export async function checkArguments(
  { definition, found }: Pick<ListedTool, 'definition' | 'found'>,
  text: string,
  checks: SchemaChecks,
): Promise<FaultPlace[]> {
  try {
    readArguments(text, found.name)
  } catch (error) {
    if (error instanceof Failed) return [{ path: '', message: error.message }]
    throw error
  }
  const verdict = await checks.check(definition.inputSchema, text)
  if (verdict.outcome === 'fits') return []
  if (verdict.outcome === 'unfit') return verdict.places
  return [{ path: '', message: `These cannot be checked: the input schema of ${found.name} ${verdict.problem}.` }]
}
