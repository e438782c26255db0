import { useId, useRef } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { CallArguments } from '#ui/call/call-arguments.tsx'
import { useArmed } from '../tool-call/use-armed.ts'
import styles from './app-screen.module.css'

/** What a screen wants, and what becomes of it once the user has said so. */
export type Wanted =
  | {
      kind: 'call'
      toolName: string
      title: string
      arguments: string
      answer: (reply: 'once' | 'screen' | 'deny') => void
    }
  | { kind: 'link'; url: string; answer: (reply: 'once' | 'deny') => void }
  | { kind: 'message'; text: string; answer: (reply: 'once' | 'deny') => void }

/** The question that a screen put to the user. It stands outside the frame, where the screen cannot draw. */
export function ScreenRequest({ wanted, serverName }: { wanted: Wanted; serverName: string }) {
  const id = useId()
  const buttons = useRef<HTMLDivElement>(null)
  const isArmed = useArmed(buttons, () => {})
  const act = (deed: () => void) => () => {
    if (isArmed) deed()
  }
  const allow = { 'aria-disabled': !isArmed, look: 'primary' } as const
  return (
    <section className={styles.request} aria-labelledby={id}>
      <p id={id} role="alert">
        Requested by the app of <strong>{visibleText(serverName)}</strong>: {titleOf(wanted)}
      </p>
      {wanted.kind === 'call' && <CallArguments json={wanted.arguments} />}
      {wanted.kind === 'link' && <code className={styles.words}>{visibleText(wanted.url)}</code>}
      {wanted.kind === 'message' && <blockquote className={styles.words}>{visibleText(wanted.text)}</blockquote>}
      <div ref={buttons} className={styles.buttons}>
        {wanted.kind === 'call' && (
          <>
            <Button {...allow} onClick={act(() => wanted.answer('once'))}>
              Allow once
            </Button>
            <Button aria-disabled={!isArmed} onClick={act(() => wanted.answer('screen'))}>
              Allow this tool while the screen is open
            </Button>
          </>
        )}
        {wanted.kind === 'link' && (
          <Button {...allow} icon="external" onClick={act(() => wanted.answer('once'))}>
            Open {visibleText(new URL(wanted.url).host)}
          </Button>
        )}
        {wanted.kind === 'message' && (
          <Button {...allow} onClick={act(() => wanted.answer('once'))}>
            Put it into my message
          </Button>
        )}
        <Button aria-disabled={!isArmed} onClick={act(() => wanted.answer('deny'))}>
          Deny
        </Button>
      </div>
    </section>
  )
}

function titleOf(wanted: Wanted) {
  switch (wanted.kind) {
    case 'call':
      return (
        <>
          call <code>{visibleText(wanted.toolName)}</code>
          {wanted.title && wanted.title !== wanted.toolName && ` (${visibleText(wanted.title)})`}
        </>
      )
    case 'link':
      return 'open a page in a new tab'
    case 'message':
      return 'put these words into your message. Nothing is sent before you send it.'
  }
}
