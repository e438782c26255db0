// Controls (which move a cursor), direction marks, zero widths, tags, fillers, variation selectors, odd line ends.
// Format characters that one sees are no part of it.
const HIDDEN =
  /(?![\t\n\u0600-\u0605\u06DD\u0890\u0891\u08E2\u{110BD}\u{110CD}])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u
// Where such a character belongs to what one sees: in emoji and their flags, after ideographs, between letters that join.
const NEEDED = [
  String.raw`(?<=\p{Emoji})[\uFE0E\uFE0F]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Unified_Ideograph})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  String.raw`(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Mn}])[\u200C\u200D](?=\p{L})`,
  ...['gbeng', 'gbsct', 'gbwls'].map(
    (region) => String.raw`(?<=\u{1F3F4})${region.replace(/./g, (letter) => tagOf(letter))}\u{E007F}`,
  ),
].join('|')
const RUNS = new RegExp(`(?=${HIDDEN.source})(?:(${NEEDED})|(?:(?!${NEEDED})${HIDDEN.source})+)`, 'gu')
const LONG_RUN = 16
// What empty lines push out of sight is hidden as well.
const EMPTY_LINES = /\n(?:[^\S\n]*\n){20,}/g

function tagOf(letter: string): string {
  return String.fromCodePoint(0xe0000 + letter.charCodeAt(0))
}

const codeOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

function show(run: string): string {
  const characters = Array.from(run)
  const shown = characters.slice(0, LONG_RUN).map(codeOf).join('')
  return characters.length > LONG_RUN ? `${shown}⟨and ${characters.length - LONG_RUN} more hidden⟩` : shown
}

function replaceHidden(text: string, inPlaceOf: (run: string) => string): string {
  const lines = text.replaceAll('\r\n', '\n')
  if (!HIDDEN.test(lines)) return lines
  return lines.replace(RUNS, (run: string, needed: string | undefined) => needed ?? inPlaceOf(run))
}

const linesIn = (gap: string): number => gap.split('\n').length - 2

/** A stranger's text for people: what is hidden in it is shown. */
export const visibleText = (text: string): string =>
  replaceHidden(text, show).replace(EMPTY_LINES, (gap) => `\n⟨${linesIn(gap)} empty lines⟩\n`)

/** A stranger's text for a model: nothing hidden is left, and where it was is said. */
export const textForModel = (text: string): string =>
  replaceHidden(text, (run) => `[hidden characters removed: ${Array.from(run).length}]`).replace(
    EMPTY_LINES,
    (gap) => `\n[empty lines removed: ${linesIn(gap)}]\n`,
  )

/** Whether a text hides something. */
export const hidesText = (text: string): boolean => visibleText(text) !== text.replaceAll('\r\n', '\n')
