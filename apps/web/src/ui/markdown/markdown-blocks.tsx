import type { Definition } from 'mdast'
import { memo, useMemo, useState } from 'react'
import { classNames } from '../class-names.ts'
import { definitionsFor } from './definitions.ts'
import { drawNode, type FencePart } from './draw-node.tsx'
import styles from './markdown.module.css'
import { type Block, nothingParsed, parseBlocks } from './parse-blocks.ts'
import { fencedCode, nothingSplit, type Section, splitSections, withLead } from './split-sections.ts'
import { useNear } from './use-near.ts'

/** The code of the whole fenced block that a section ends in, or the code given if the block ends with the section. */
type WholeCode = (start: number, own: string) => string

/** A text with more sections draws those that are far from the screen when someone scrolls there. */
const MAX_DRAWN_AT_ONCE = 8
/** A text with more sections also takes those away that are far from the screen again. */
const MAX_KEPT = 32

/**
 * Markdown in sections. While a text grows, only its last section is parsed and drawn again, and sections off the screen
 * aren't laid out (`content-visibility`).
 */
export function MarkdownBlocks({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  const [memory] = useState(() => ({ split: nothingSplit }))
  const sections = useMemo(() => {
    memory.split = splitSections(memory.split, text)
    return memory.split.sections
  }, [memory, text])
  const definitions = useMemo(() => definitionsFor(sections), [sections])
  // The same function for every text, so that finished sections aren't drawn again: it looks at the text when it is called.
  const [wholeCode] = useState(() => (start: number, own: string) => {
    const { text: whole, sections: all } = memory.split
    const next = all[all.findIndex((section) => section.start === start) + 1]
    return next !== undefined && next.fence !== '' && next.fenceStart >= start
      ? fencedCode(whole, next.fenceStart)
      : own
  })
  const last = sections.length - 1
  return (
    <div className={styles.markdown}>
      {sections.map((section, index) => (
        <SectionView
          key={section.start}
          section={section}
          definitions={definitions[index] ?? ''}
          wholeCode={wholeCode}
          isGrowing={isGrowing && index === last}
          isAlone={last === 0}
          canWait={sections.length > MAX_DRAWN_AT_ONCE && index < last}
          canLeave={sections.length > MAX_KEPT && index < last}
        />
      ))}
    </div>
  )
}

const SectionView = memo(
  ({
    section,
    definitions,
    wholeCode,
    isGrowing,
    isAlone,
    canWait,
    canLeave,
  }: {
    section: Section
    definitions: string
    wholeCode: WholeCode
    isGrowing: boolean
    isAlone: boolean
    canWait: boolean
    canLeave: boolean
  }) => {
    const { place, isNear, height } = useNear(!canWait, canLeave)
    const className = classNames(
      styles.section,
      !isAlone && styles.oneOfSeveral,
      section.fence !== '' && styles.continued,
    )
    return isNear ? (
      <div ref={place} className={className}>
        <DrawnSection section={section} definitions={definitions} wholeCode={wholeCode} isGrowing={isGrowing} />
      </div>
    ) : (
      <div
        ref={place}
        className={classNames(className, styles.waiting)}
        {...(height !== undefined && { style: { minHeight: height } })}
      />
    )
  },
)

function DrawnSection({
  section,
  definitions: external,
  wholeCode,
  isGrowing,
}: {
  section: Section
  definitions: string
  wholeCode: WholeCode
  isGrowing: boolean
}) {
  const [memory] = useState(() => ({ parsed: nothingParsed }))
  const { blocks, definitions } = useMemo(() => {
    memory.parsed = parseBlocks(memory.parsed, withLead(section), external)
    return memory.parsed
  }, [memory, section, external])
  const { start } = section
  const lastFence = useMemo<FencePart>(() => ({ wholeCode: (own) => wholeCode(start, own) }), [wholeCode, start])
  return blocks.map((block, index) => (
    <DrawnBlock
      key={block.start}
      block={block}
      definitions={definitions}
      isWhole={!isGrowing || index < blocks.length - 1}
      fence={index === 0 && section.fence !== '' ? continuedFence : index === blocks.length - 1 ? lastFence : undefined}
    />
  ))
}

const continuedFence: FencePart = 'continued'

const DrawnBlock = memo(
  ({
    block: { node, source },
    definitions,
    isWhole,
    fence,
  }: {
    block: Block
    definitions: ReadonlyMap<string, Definition>
    isWhole: boolean
    fence: FencePart | undefined
  }) => drawNode(node, { source, definitions, isWhole, fence, firstLine: node.position?.start.line, depth: 0 }),
)
