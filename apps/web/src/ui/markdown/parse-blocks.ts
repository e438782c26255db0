import type { Definition, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { isTangled } from './is-tangled.ts'

/** A piece of Markdown that stands for itself: a paragraph, a list, a table. */
export interface Block {
  /** Where its first line begins in the text. */
  start: number
  /** The text its node's positions count in. */
  source: string
  node: RootContent
}

export interface Parsed {
  text: string
  /** Lines that define links elsewhere in the text. */
  external: string
  blocks: readonly Block[]
  definitions: ReadonlyMap<string, Definition>
  /** The text itself defines links, so that each piece of it depends on all others. */
  definesLinks: boolean
}

const noDefinitions: Parsed['definitions'] = new Map()
export const nothingParsed: Parsed = {
  text: '',
  external: '',
  blocks: [],
  definitions: noDefinitions,
  definesLinks: false,
}

const extensions = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }

/** What a line that defines a link or a footnote begins like: such a line changes blocks far away from it. */
const DEFINES = /^[ \t>]*(?:[-*+]|\d+[.)])?[ \t>]*\[[^\]]*\]:/m

/**
 * The blocks of a text. Where it only grew since `previous`, what was finished then is taken over as it is: the same
 * objects, so that nothing of it is parsed or drawn again while an answer streams in.
 */
export function parseBlocks(previous: Parsed, text: string, external = ''): Parsed {
  if (text === previous.text && external === previous.external) return previous
  if (DEFINES.test(text)) return parseWhole(text, external)
  const isGrown = text.startsWith(previous.text) && external === previous.external && !previous.definesLinks
  const kept = isGrown ? finishedBlocks(previous) : []
  const from = kept.length > 0 ? (previous.blocks[kept.length]?.start ?? 0) : 0
  const definitions = isGrown ? previous.definitions : definitionsOf(parse(external, 0, ''))
  return { text, external, blocks: [...kept, ...parse(text, from, external)], definitions, definesLinks: false }
}

/**
 * All but the last two, roughly: the last line may still turn out to be part of the block before it (`<div` grows into
 * `<divine`, `***` into `***bold***`), and the block that stood before that line is still open.
 */
function finishedBlocks({ text, blocks }: Parsed): readonly Block[] {
  const lastLine = text.lastIndexOf('\n') + 1
  return blocks.filter(({ start }) => start < lastLine).slice(0, -1)
}

function parseWhole(text: string, external: string): Parsed {
  const blocks = parse(text, 0, external)
  const definitions = definitionsOf([...parse(external, 0, ''), ...blocks])
  return { text, external, blocks, definitions, definesLinks: true }
}

function definitionsOf(blocks: readonly Block[]): Parsed['definitions'] {
  if (blocks.length === 0) return noDefinitions
  const definitions = new Map<string, Definition>()
  for (const { node } of blocks) collectDefinitions(node, definitions)
  return definitions
}

function collectDefinitions(node: RootContent, found: Map<string, Definition>): void {
  if (node.type === 'definition') {
    // The first of a name counts.
    if (!found.has(node.identifier)) found.set(node.identifier, node)
  } else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem') {
    for (const child of node.children) collectDefinitions(child, found)
  }
}

/** The blocks from a place on, parsed behind the definitions from elsewhere. */
function parse(text: string, from: number, external: string): Block[] {
  const rest = text.slice(from)
  if (rest === '') return []
  if (isTangled(rest)) return [{ start: from, source: rest, node: { type: 'text', value: rest } }]
  const begin = external === '' ? 0 : external.length + 2
  const source = begin === 0 ? rest : `${external}\n\n${rest}`
  return fromMarkdown(source, extensions).children.flatMap((node) => {
    const offset = node.position?.start.offset ?? 0
    if (offset < begin) return []
    return [{ start: from - begin + source.lastIndexOf('\n', offset - 1) + 1, source, node }]
  })
}
