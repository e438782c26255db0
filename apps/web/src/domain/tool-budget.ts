/**
 * What definitions of tools may take of every message to a model. With more, it would choose badly, cost much and have no
 * room left: it gets those that it has looked for instead.
 */
export const MOST_TOOLS = 64
export const MOST_TOKENS = 12_000

/** By the rule of thumb of four characters a token. */
export const tokensOf = (characters: number): number => Math.ceil(characters / 4)

export const fitsBudget = (count: number, tokens: number): boolean => count <= MOST_TOOLS && tokens <= MOST_TOKENS
