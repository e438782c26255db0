import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { TOLD } from '#domain/result-for-model.ts'
import { looksLikeMarkdown } from '#lib/looks-like-markdown.ts'

const MOST_ROWS = 30
const LONGEST_TEXT = 4_000

/** What tools answered, in Markdown. */
export function reportResults(results: readonly LanguageModelV4ToolResultPart[]): string {
  return results.map((result) => reportOne(result, results.length > 1)).join('\n\n')
}

/** What came of a task, as the app tells of it. */
export function reportTask(told: string): string {
  const [about = '', ...rest] = told.split('\n\n')
  const [, quoted] = /the result of (".*?") of /.exec(about) ?? []
  const name = quoted === undefined ? 'The task' : `\`${quoted.slice(1, -1)}\``
  const text = rest.join('\n\n')
  return isTrouble(text) ? trouble(name, text) : `${name} is done. This is what it says:\n\n${readable(text)}`
}

const isTrouble = (text: string): boolean =>
  [TOLD.cancelled, TOLD.failed, TOLD.unknown].some((start) => text.startsWith(start))

function reportOne({ toolName, output }: LanguageModelV4ToolResultPart, isOneOfMany: boolean): string {
  const name = `\`${toolName.slice(toolName.lastIndexOf('__') + 1).replace(/^_/, '')}\``
  switch (output.type) {
    case 'text':
      if (output.value.startsWith(TOLD.task))
        return `${name} is at work in the background. Go on meanwhile; I will tell you when it is done.`
      return titled(name, readable(output.value), isOneOfMany)
    case 'content': {
      const said = output.value.map((part) => (part.type === 'text' ? part.text : '')).filter(Boolean)
      const pictures = output.value.filter(({ type }) => type === 'file').length
      const seen = pictures === 1 ? 'The picture is in the card above.' : `${pictures} pictures are in the card above.`
      return titled(name, [...said.map(readable), seen].join('\n\n'), isOneOfMany)
    }
    case 'error-text':
      return trouble(name, output.value)
    default:
      return titled(name, 'It answered in a way that I cannot read.', isOneOfMany)
  }
}

const titled = (name: string, text: string, isOneOfMany: boolean): string =>
  isOneOfMany ? `**${name}**\n\n${text}` : `This is what ${name} says:\n\n${text}`

function trouble(name: string, told: string): string {
  const rest = (start: string) => told.slice(start.length).trim()
  if (told.startsWith(TOLD.denied)) return `You did not allow ${name}, so I left it alone. ${rest(TOLD.denied)}`.trim()
  if (told.startsWith(TOLD.cancelled)) return `You cancelled ${name}, so I have nothing to report from it.`
  if (told.startsWith(TOLD.unknown))
    return `Whether ${name} did its work is not known: the connection broke before it answered. Please look before you run it again.`
  return `${name} did not work out: ${told.startsWith(TOLD.failed) ? rest(TOLD.failed) : told}`
}

/** A text as it is; JSON as a list and tables. */
function readable(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return describe(value)
  } catch {
    // Not JSON: plain words.
  }
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
  // Lines of plain text would run together in the answer, which is Markdown.
  return !shown.trim().includes('\n') || looksLikeMarkdown(shown) ? shown : fenced(shown)
}

/** With a fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

type Row = Record<string, unknown>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function describe(value: object): string {
  if (Array.isArray(value)) return value.length > 0 && value.every(isRow) ? table(value) : list(value)
  const entries = Object.entries(value as Row)
  const tables = entries.filter(
    (entry): entry is [string, Row[]] => Array.isArray(entry[1]) && entry[1].length > 0 && entry[1].every(isRow),
  )
  const lines = entries
    .filter(([key]) => !tables.some(([other]) => other === key))
    .map(([key, one]) => `- **${cell(key)}**: ${cell(one)}`)
  return [lines.join('\n'), ...tables.map(([, rows]) => table(rows))].filter(Boolean).join('\n\n')
}

const list = (values: readonly unknown[]): string =>
  values
    .slice(0, MOST_ROWS)
    .map((value) => `- ${cell(value)}`)
    .join('\n') || 'Nothing.'

function table(rows: readonly Row[]): string {
  const shown = rows.slice(0, MOST_ROWS)
  const columns = [...new Set(shown.flatMap((row) => Object.keys(row)))].slice(0, 8)
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const lines = shown.map((row) => line(columns.map((column) => cell(Object.hasOwn(row, column) ? row[column] : ''))))
  const more = rows.length > MOST_ROWS ? `\n\nand ${rows.length - MOST_ROWS} more.` : ''
  return [line(columns.map(cell)), line(columns.map(() => '---')), ...lines].join('\n') + more
}

function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.replace(/\s+/g, ' ').replaceAll('|', String.raw`\|`).slice(0, 300)
}
