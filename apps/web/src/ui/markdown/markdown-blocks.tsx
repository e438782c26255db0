import type { Definition } from 'mdast'
import { memo, useMemo, useState } from 'react'
import { drawNode } from './draw-node.tsx'
import styles from './markdown.module.css'
import { type Block, nothingParsed, parseBlocks } from './parse-blocks.ts'

export function MarkdownBlocks({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  const [memory] = useState(() => ({ parsed: nothingParsed }))
  const { blocks, definitions } = useMemo(() => {
    memory.parsed = parseBlocks(memory.parsed, text)
    return memory.parsed
  }, [memory, text])
  return (
    <div className={styles.markdown}>
      {blocks.map((block, index) => (
        <DrawnBlock
          key={block.start}
          block={block}
          definitions={definitions}
          isWhole={!isGrowing || index < blocks.length - 1}
        />
      ))}
    </div>
  )
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
