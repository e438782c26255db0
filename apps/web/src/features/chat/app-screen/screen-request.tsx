import { useId } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import { CallArguments } from '#ui/call/call-arguments.tsx'
import { ActionButton, Actions, DecisionCard } from '#ui/decision.tsx'
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
  const server = visibleText(serverName)
  return (
    <DecisionCard className={styles.request} aria-labelledby={id} announce={`The app of ${server} asks for something.`}>
      <p id={id}>
        Requested by the app of <strong>{server}</strong>: {titleOf(wanted)}
      </p>
      {wanted.kind === 'call' && <CallArguments json={wanted.arguments} />}
      {wanted.kind === 'link' && <code className={styles.words}>{visibleText(wanted.url)}</code>}
      {wanted.kind === 'message' && <blockquote className={styles.words}>{visibleText(wanted.text)}</blockquote>}
      <Actions className={styles.buttons}>
        {wanted.kind === 'call' && (
          <>
            <ActionButton look="primary" onClick={() => wanted.answer('once')}>
              Allow once
            </ActionButton>
            <ActionButton onClick={() => wanted.answer('screen')}>
              Allow this tool while the screen is open
            </ActionButton>
          </>
        )}
        {wanted.kind === 'link' && (
          <ActionButton look="primary" icon="external" onClick={() => wanted.answer('once')}>
            Open {visibleText(new URL(wanted.url).host)}
          </ActionButton>
        )}
        {wanted.kind === 'message' && (
          <ActionButton look="primary" onClick={() => wanted.answer('once')}>
            Put it into my message
          </ActionButton>
        )}
        <ActionButton refuses onClick={() => wanted.answer('deny')}>
          Deny
        </ActionButton>
      </Actions>
    </DecisionCard>
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
