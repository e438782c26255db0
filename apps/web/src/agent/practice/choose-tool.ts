import { type JsonSchema, propertiesOf, type ToolOnOffer } from './tool-on-offer.ts'
import { kinship, tellingWords, wordsOf } from './words.ts'

/** Below this a tool has little to do with what was said. */
const LEAST_SCORE = 2

type Weighted = Map<string, number>

/** The words by which a tool is known, with what each is worth. */
function fameOf({ name, title, description, inputSchema }: ToolOnOffer): Weighted {
  const fame: Weighted = new Map()
  const add = (text: string, worth: number) => {
    for (const word of tellingWords(text)) fame.set(word, Math.max(fame.get(word) ?? 0, worth))
  }
  add(name, 3)
  add(title, 3)
  add(description, 1.5)
  for (const [key, property] of propertiesOf(inputSchema)) {
    add(`${key} ${property.title ?? ''}`, 1)
    add(property.description ?? '', 0.5)
    for (const value of valuesOf(property)) add(value, 2)
  }
  return fame
}

const valuesOf = ({ enum: values }: JsonSchema): string[] =>
  Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : []

/** The tool that fits what was said best, or none. */
export function chooseTool(said: string, tools: readonly ToolOnOffer[]): ToolOnOffer | undefined {
  const fames = tools.map(fameOf)
  const words = [...new Set(tellingWords(said))]
  // A word that every tool knows tells nothing.
  const rarity = (word: string) =>
    1 + Math.log(tools.length / Math.max(1, fames.filter((fame) => fame.has(word)).length))
  const worthOf = (word: string, fame: Weighted) =>
    Math.max(0, ...[...fame].map(([known, worth]) => kinship(word, known) * worth * rarity(known)))
  let best: { tool: ToolOnOffer; score: number } | undefined
  for (const [index, tool] of tools.entries()) {
    const fame = fames[index] ?? new Map<string, number>()
    const spoken = isNamed(said, tool) ? 20 : 0
    const score = words.reduce((sum, word) => sum + worthOf(word, fame), spoken)
    if (score >= LEAST_SCORE && score > (best?.score ?? 0)) best = { tool, score }
  }
  return best?.tool
}

/** "Use draw_chart": whoever says the very name of a tool means it. */
const isNamed = (said: string, { name }: ToolOnOffer): boolean =>
  wordsOf(name).length > 1 && ` ${wordsOf(said).join(' ')} `.includes(` ${wordsOf(name).join(' ')} `)
