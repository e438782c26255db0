/**
 * What definitions of tools may take of every message to a model. With more, it would choose badly, cost much and have no
 * room left: it gets those that it has looked for instead.
 */
export const MOST_TOOLS = 64
export const MOST_TOKENS = 12_000

/** By the rule of thumb of four characters a token. */
export const tokensOf = (characters: number): number => Math.ceil(characters / 4)

/** What is told of a tool to a model, as far as it is known without asking its server. */
interface Described {
  name: string
  title: string
  description: string
  schemaSize: number
}

/** What the definitions of tools take of a message. */
export const definitionsTokens = (tools: readonly Described[]): number =>
  tools.reduce(
    (sum, { name, title, description, schemaSize }) =>
      sum + tokensOf(name.length + title.length + description.length + schemaSize),
    0,
  )

export const fitsBudget = (count: number, tokens: number): boolean => count <= MOST_TOOLS && tokens <= MOST_TOKENS
