import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'
import { useCloseBeside } from './close-beside.ts'
import styles from './dialog.module.css'
import { keepCaret } from './keep-caret.ts'

/** A question or a form over everything else. Escape and a click beside it close it; the focus goes back to where it was. */
export function Dialog({
  title,
  open,
  onClose,
  children,
  footer,
}: {
  title: ReactNode
  open: boolean
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    if (!open || !element) return
    const giveBack = keepCaret()
    element.showModal()
    // The browser would begin at the button that closes it.
    content.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    return () => {
      // While it is still there: one that is only taken away gives no focus back.
      element.close()
      giveBack()
    }
  }, [open])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={id} onClose={onClose} {...useCloseBeside(onClose)}>
      {open && (
        <div className={styles.body}>
          <header className={styles.header}>
            <h2 id={id}>{title}</h2>
            <IconButton label="Close" icon="close" onClick={onClose} />
          </header>
          <div ref={content} className={styles.content}>
            {children}
          </div>
          {footer && <footer className={styles.footer}>{footer}</footer>}
        </div>
      )}
    </dialog>
  )
}
