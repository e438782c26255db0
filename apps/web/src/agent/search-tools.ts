import type { OfferedTool } from './needs.ts'
import { kinship, tellingWords, wordsOf } from './practice/words.ts'

const LONGEST_QUERY = 500
const MOST_WORDS = 20
const LONGEST_DESCRIPTION = 2_000
/** Up to so many words a description is worth all it says; one that names everything is worth little for each. */
const PLAIN_WORDS = 60

/** The words by which a tool is known, with what each is worth. */
type Fame = ReadonlyMap<string, number>

type Known = Pick<OfferedTool, 'modelName' | 'toolName' | 'title' | 'serverName' | 'description' | 'inputSchema'>

/** The tools that fit the words best, in their order, and how many fit at all. The same words always find the same. */
export function searchTools<Tool extends Known>(
  query: string,
  tools: readonly Tool[],
  most: number,
): { found: Tool[]; total: number } {
  const said = query.slice(0, LONGEST_QUERY)
  const telling = tellingWords(said)
  const words = [...new Set(telling.length > 0 ? telling : wordsOf(said))].slice(0, MOST_WORDS)
  const fames = tools.map(fameOf)
  const rarities = new Map(
    words.map((word) => [word, 1 + Math.log(tools.length / (1 + fames.filter((fame) => fame.has(word)).length))]),
  )
  const scored = tools.flatMap((tool, index) => {
    const fame = fames[index] ?? new Map<string, number>()
    const named = isNamed(said, tool) ? 20 : 0
    const score = words.reduce((sum, word) => sum + worthOf(word, fame) * (rarities.get(word) ?? 1), named)
    return score > 0 ? [{ tool, score }] : []
  })
  scored.sort((one, other) => other.score - one.score || (one.tool.modelName < other.tool.modelName ? -1 : 1))
  return { found: scored.slice(0, most).map(({ tool }) => tool), total: scored.length }
}

function fameOf({ toolName, title, serverName, description, inputSchema }: Known): Fame {
  const fame = new Map<string, number>()
  const add = (words: readonly string[], worth: number): void => {
    for (const word of words) if ((fame.get(word) ?? 0) < worth) fame.set(word, worth)
  }
  add(wordsOf(toolName.slice(0, 200)), 3)
  add(wordsOf(title.slice(0, 200)), 3)
  add(wordsOf(serverName), 1.5)
  const described = tellingWords(description.slice(0, LONGEST_DESCRIPTION))
  add(described, Math.min(1, PLAIN_WORDS / described.length))
  const { properties } = inputSchema
  if (typeof properties === 'object' && properties !== null)
    add(Object.keys(properties).slice(0, 50).flatMap(wordsOf), 0.5)
  return fame
}

/** The very word is worth most; a word that begins so, or one that people use for the same thing, less. */
function worthOf(word: string, fame: Fame): number {
  let best = fame.get(word) ?? 0
  for (const [known, worth] of fame) {
    if (worth * 0.6 <= best) continue
    if ((word.length > 2 && known.startsWith(word)) || (word.length > 1 && !/\w/.test(word) && known.includes(word)))
      best = worth * 0.6
    else best = Math.max(best, worth * 0.5 * kinship(word, known))
  }
  return best
}

/** Whoever says the very name of a tool means it. */
const isNamed = (said: string, { toolName, modelName }: Known): boolean => {
  const wish = said.trim().toLowerCase()
  return wish === toolName.toLowerCase() || wish === modelName.toLowerCase()
}
