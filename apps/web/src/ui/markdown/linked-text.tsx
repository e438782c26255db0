import type { ReactNode } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import styles from './markdown.module.css'
import { OutgoingLink } from './outgoing-link.tsx'
import { isMisleading, safeLink } from './safe-link.ts'

/** A link that says where it leads; one that may not be opened is shown as it was written. */
export function LinkedText({
  address,
  source,
  text,
  isCode,
  children,
}: {
  address: string
  source: string
  /** What it says, without its marks. */
  text: string
  /** The whole text is code. */
  isCode: boolean
  children: ReactNode
}) {
  const link = safeLink(address)
  if (!link) return visibleText(source)
  return (
    <>
      <OutgoingLink link={link} text={text} isCode={isCode}>
        {children}
      </OutgoingLink>
      {!source.includes(link.host) || source.startsWith('[') || isMisleading(text, link, isCode) ? (
        <span className={styles.host}> ({link.host})</span>
      ) : null}
    </>
  )
}
