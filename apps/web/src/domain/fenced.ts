import { textForModel } from '#lib/visible-text.ts'

/** A name that a stranger gave, for a sentence of ours that a model reads: it ends neither the line nor the quotes. */
export const oneLine = (text: string): string =>
  textForModel(text)
    .replace(/\s+/g, ' ')
    .replace(/["[\]]/g, "'")
    .slice(0, 300)

/** A text between two lines of tildes that it has nowhere, so that nothing in it can look like its end. */
export function fenced(text: string): string {
  const longest = (text.match(/~+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '~'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
