import { lazy, Suspense } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import styles from './markdown.module.css'

const load = async () => ({ default: (await import('./markdown-blocks.tsx')).MarkdownBlocks })
const MarkdownBlocks = lazy(load)

/** While the parser is loaded, the beginning of the text is shown as it stands. */
const MAX_WAITING = 20_000

/** Loads the parser before the first answer needs it. */
export const preloadMarkdown = (): void => void load()

/** Markdown of a model, a server or a person. Whatever it says, nothing in it runs, loads or opens by itself. */
export const Markdown = ({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) => (
  <Suspense fallback={<div className={styles.asItStands}>{visibleText(text.slice(0, MAX_WAITING))}</div>}>
    <MarkdownBlocks text={text} isGrowing={isGrowing} />
  </Suspense>
)
