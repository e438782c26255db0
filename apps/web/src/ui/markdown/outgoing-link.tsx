import { type ReactNode, useState } from 'react'
import { createPortal } from 'react-dom'
import { visibleText } from '#lib/visible-text.ts'
import buttons from '../button.module.css'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { Dialog } from '../dialog.tsx'
import styles from './markdown.module.css'
import { isMisleading, type SafeLink } from './safe-link.ts'

const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer' }

/** A link to somewhere else. Where its text or a user name in it suggests another host, the real one is shown first. */
export function OutgoingLink({
  link,
  text,
  isCode = false,
  className,
  children,
}: {
  link: SafeLink
  /** What the link says, as plain text. */
  text: string
  /** The whole text is code. */
  isCode?: boolean
  className?: string | undefined
  children: ReactNode
}) {
  const [isAsking, setAsking] = useState(false)
  if (!isMisleading(text, link, isCode))
    return (
      <a className={className} href={link.href} title={link.href} {...NEW_TAB}>
        {children}
      </a>
    )
  const close = () => setAsking(false)
  return (
    <>
      {/* No address: a middle click or a context menu would follow it unseen. */}
      <button
        type="button"
        className={classNames(styles.misleading, className)}
        title={link.href}
        onClick={() => setAsking(true)}
      >
        {children}
      </button>
      {isAsking &&
        // A dialog can't stand inside a paragraph.
        createPortal(
          <Dialog
            open
            title={`This link leads to ${visibleText(link.host)}`}
            onClose={close}
            footer={
              <>
                <Button onClick={close}>Cancel</Button>
                <a className={classNames(buttons.button, buttons.danger)} href={link.href} {...NEW_TAB} onClick={close}>
                  Open {visibleText(link.host)}
                </a>
              </>
            }
          >
            <p>
              It looks like a link to another site: <q>{visibleText(text.slice(0, 300))}</q>. Open it only if you trust{' '}
              <strong>{visibleText(link.host)}</strong>.
            </p>
            <p className={styles.address}>{visibleText(link.href)}</p>
          </Dialog>,
          document.body,
        )}
    </>
  )
}
