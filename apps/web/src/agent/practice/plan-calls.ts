import { chooseTool } from './choose-tool.ts'
import { fillArguments, mentioned } from './fill-arguments.ts'
import { propertiesOf, type ToolOnOffer } from './tool-on-offer.ts'

export interface PlannedCall {
  tool: ToolOnOffer
  input: Record<string, unknown>
}

const MOST_CALLS = 4

/** What to call for what was said: one tool, one for each half of an "and", or one tool for several values of a choice. */
export function planCalls(said: string, tools: readonly ToolOnOffer[], today: Date): PlannedCall[] {
  // What stands behind a colon or in quotes is one thing, whatever words are in it.
  const halves = /[:"“]/.test(said) ? [said] : said.split(/\s+and (?:then )?(?=\p{L})/iu)
  const chosen = halves.map((half) => chooseTool(half, tools))
  const isSplit = halves.length > 1 && chosen.every((tool) => tool !== undefined) && new Set(chosen).size > 1
  const wishes = isSplit ? halves : [said]
  return wishes.flatMap((wish) => callsFor(wish, tools, today)).slice(0, MOST_CALLS)
}

function callsFor(wish: string, tools: readonly ToolOnOffer[], today: Date): PlannedCall[] {
  const tool = chooseTool(wish, tools)
  if (!tool) return []
  const input = fillArguments(wish, tool, today)
  const several = propertiesOf(tool.inputSchema).flatMap(([key, { enum: values }]) => {
    const named = Array.isArray(values) ? mentioned(values, wish) : []
    return named.length > 1 ? [{ key, named: inOrderSaid(named, wish) }] : []
  })[0]
  if (!several) return [{ tool, input }]
  return several.named.map((value) => ({ tool, input: { ...input, [several.key]: value } }))
}

const inOrderSaid = (values: unknown[], wish: string): unknown[] => {
  const at = (value: unknown) => wish.toLowerCase().indexOf(String(value).toLowerCase())
  return values.toSorted((a, b) => at(a) - at(b))
}
