import type { CustomToolInput } from '../custom-tool.ts'
import { baseFault } from '../custom-tool-address.ts'
import { Failed } from '../failure.ts'
import { listOperations } from './list-operations.ts'
import { openApiDocument } from './read-openapi.ts'
import { readOperation } from './read-operation.ts'

/** The tools for the operations that were chosen, at the address that was chosen. Rejects with `Failed`. */
export function toolsOfOpenApi(
  text: string,
  base: string,
  chosen: readonly { id: string; name: string }[],
): CustomToolInput[] {
  const fault = baseFault(base)
  if (fault !== undefined) throw new Failed('bad-input', fault)
  const document = openApiDocument(text)
  const known = new Map(listOperations(document).operations.map((found) => [found.id, found]))
  return chosen.map(({ id, name }) => {
    const found = known.get(id)
    if (!found) throw new Failed('bad-input', `The document has no ${id}.`)
    const { tool, path, base: own, problem } = readOperation(document, found)
    if (problem !== undefined) throw new Failed('bad-input', `${id} cannot become a tool. ${problem}`)
    return { ...tool, name, url: `${(own ?? base).replace(/\/+$/, '')}${path}` }
  })
}
