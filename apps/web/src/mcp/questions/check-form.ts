import type { SchemaChecks } from '../check-schema.ts'
import type { FaultPlace } from '../place-fault.ts'

/** What keeps these entries from being sent as the answer to a form, each at its field; nothing where they can be. */
export async function checkForm(
  schema: unknown,
  content: Record<string, unknown>,
  checks: SchemaChecks,
): Promise<FaultPlace[]> {
  const verdict = await checks.check(schema, JSON.stringify(content))
  if (verdict.outcome === 'fits') return []
  if (verdict.outcome === 'unfit') return verdict.places
  return [{ path: '', message: `Your entries cannot be checked: the form of the server ${verdict.problem}.` }]
}
