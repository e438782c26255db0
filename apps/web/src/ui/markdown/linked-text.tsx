import type { ReactNode } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import styles from './markdown.module.css'
import { safeLink } from './safe-link.ts'

/** A link that says where it leads; one that may not be opened is shown as it was written. */
export function LinkedText({ address, source, children }: { address: string; source: string; children: ReactNode }) {
  const link = safeLink(address)
  if (!link) return visibleText(source)
  return (
    <>
      <a href={link.href} title={link.href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
      {!source.includes(link.host) || source.startsWith('[') ? (
        <span className={styles.host}> ({link.host})</span>
      ) : null}
    </>
  )
}
