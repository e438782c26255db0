import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { IconButton } from '#ui/button.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngineState } from '#wiring/use-engine.ts'
import styles from './composer.module.css'
import { COMPOSER_ID } from './composer-id.ts'
import { FailureNotice } from './failure-notice.tsx'
import { useDraft } from './use-draft.ts'
import type { Obstacle } from './why-not-send.ts'

/** Where messages are written. Enter sends, Shift+Enter begins a new line. What is not sent yet is never lost. */
export function Composer({
  draftId,
  obstacle,
  onSend,
  onStop,
}: {
  draftId: string
  obstacle: Obstacle | undefined
  onSend: (text: string) => Promise<void>
  /** There while a turn runs. */
  onStop?: (() => void) | undefined
}) {
  const isReady = useEngineState(({ phase }) => phase === 'ready')
  const { isBusy, failure, run, forget } = useDeed()
  const { text, setText } = useDraft(draftId)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // On a phone the keyboard would cover what there is to read.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [])

  const canSend = text.trim() !== '' && !obstacle && !onStop && !isBusy
  const send = async () => {
    if (!canSend) return
    const sent = text
    setText('')
    const isSent = await run(async () => {
      await onSend(sent)
      return true
    })
    if (!isSent) setText(sent)
  }
  const hear = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <div className={styles.composer}>
      {failure && <FailureNotice failure={failure} />}
      {obstacle && isReady && (
        <p className={styles.obstacle} id={`${COMPOSER_ID}-obstacle`} role="status">
          {obstacle.text} {obstacle.action && <Link href={obstacle.action.to}>{obstacle.action.label}</Link>}
        </p>
      )}
      <div className={styles.box}>
        <textarea
          ref={field}
          id={COMPOSER_ID}
          className={styles.text}
          aria-label="Message"
          aria-describedby={obstacle ? `${COMPOSER_ID}-obstacle` : undefined}
          placeholder="Message…"
          rows={1}
          maxLength={200_000}
          value={text}
          onChange={(event) => {
            forget()
            setText(event.target.value)
          }}
          onKeyDown={hear}
        />
        {onStop ? (
          <IconButton className={styles.send} label="Stop" icon="stop" onClick={onStop} />
        ) : (
          <IconButton
            className={styles.send}
            label="Send"
            icon="send"
            disabled={!canSend}
            onClick={() => void send()}
          />
        )}
      </div>
    </div>
  )
}
