import { chooseTool } from './choose-tool.ts'
import { fillArguments, mentioned } from './fill-arguments.ts'
import { propertiesOf, type ToolOnOffer } from './tool-on-offer.ts'
import { unmetWishes } from './unmet-wishes.ts'

export interface PlannedCall {
  tool: ToolOnOffer
  input: Record<string, unknown>
}

export interface Plan {
  calls: PlannedCall[]
  /** What was asked for and cannot be done. */
  unmet: string[]
}

const MOST_CALLS = 4

/** What to call for what was said: one tool, one for each half of an "and", or one tool for several values of a choice. */
export function planCalls(said: string, tools: readonly ToolOnOffer[], today: Date): Plan {
  // What stands behind a colon or in quotes is one thing, whatever words are in it.
  const halves = /[:"“]/.test(said) ? [said] : said.split(/\s+and (?:then )?(?=\p{L})/iu)
  const chosen = halves.map((half) => chooseTool(half, tools))
  const isSplit = halves.length > 1 && chosen.every((tool) => tool !== undefined) && new Set(chosen).size > 1
  const wishes = isSplit ? halves : [said]
  const plans = wishes.map((wish) => planFor(wish, tools, today))
  return {
    calls: plans.flatMap(({ calls }) => calls).slice(0, MOST_CALLS),
    unmet: [...new Set(plans.flatMap(({ unmet }) => unmet))],
  }
}

function planFor(wish: string, tools: readonly ToolOnOffer[], today: Date): Plan {
  const tool = chooseTool(wish, tools)
  if (!tool) return { calls: [], unmet: [] }
  const { keys, sentences } = unmetWishes(wish, tool)
  const calls = callsOf(tool, wish, today)
  // A call with another value than the one asked for would answer a question that nobody put.
  const isMet = (key: string) =>
    Array.isArray(choicesOf(tool, key)) && mentioned(choicesOf(tool, key) ?? [], wish).length > 0
  return { calls: keys.every(isMet) ? calls : [], unmet: sentences }
}

const choicesOf = ({ inputSchema }: ToolOnOffer, wanted: string): unknown[] | undefined =>
  propertiesOf(inputSchema).find(([key]) => key === wanted)?.[1].enum

function callsOf(tool: ToolOnOffer, wish: string, today: Date): PlannedCall[] {
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
