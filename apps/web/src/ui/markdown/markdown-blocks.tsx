import type { Definition } from 'mdast'
import { memo, useMemo, useState } from 'react'
import { definitionsFor } from './definitions.ts'
import { drawNode } from './draw-node.tsx'
import styles from './markdown.module.css'
import { type Block, nothingParsed, parseBlocks } from './parse-blocks.ts'
import { nothingSplit, type Section, splitSections } from './split-sections.ts'
import { useNear } from './use-near.ts'

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
  const last = sections.length - 1
  return (
    <div className={styles.markdown}>
      {sections.map((section, index) => (
        <SectionView
          key={section.start}
          section={section}
          definitions={definitions[index] ?? ''}
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
    isGrowing,
    isAlone,
    canWait,
    canLeave,
  }: {
    section: Section
    definitions: string
    isGrowing: boolean
    isAlone: boolean
    canWait: boolean
    canLeave: boolean
  }) => {
    const { place, isNear, height } = useNear(!canWait, canLeave)
    const className = isAlone ? styles.section : `${styles.section} ${styles.oneOfSeveral}`
    return isNear ? (
      <div ref={place} className={className}>
        <DrawnSection section={section} definitions={definitions} isGrowing={isGrowing} />
      </div>
    ) : (
      <div
        ref={place}
        className={`${className} ${styles.waiting}`}
        {...(height !== undefined && { style: { minHeight: height } })}
      />
    )
  },
)

function DrawnSection({
  section: { source, fence },
  definitions: external,
  isGrowing,
}: {
  section: Section
  definitions: string
  isGrowing: boolean
}) {
  const [memory] = useState(() => ({ parsed: nothingParsed }))
  const { blocks, definitions } = useMemo(() => {
    memory.parsed = parseBlocks(memory.parsed, fence === '' ? source : `${fence}\n${source}`, external)
    return memory.parsed
  }, [memory, source, fence, external])
  return blocks.map((block, index) => (
    <DrawnBlock
      key={block.start}
      block={block}
      definitions={definitions}
      isWhole={!isGrowing || index < blocks.length - 1}
    />
  ))
}

const DrawnBlock = memo(
  ({
    block: { node, source },
    definitions,
    isWhole,
  }: {
    block: Block
    definitions: ReadonlyMap<string, Definition>
    isWhole: boolean
  }) => drawNode(node, { source, definitions, isWhole, depth: 0 }),
)
