import { useState } from 'react'
import type { ToolCall } from '#domain/tool-call.ts'
import { durationInWords } from '#lib/in-words.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '../button.tsx'
import { nameOf } from './describe-call.ts'
import { useElapsed } from './use-elapsed.ts'
import styles from './running-call.module.css'

/** How far it is, for how long it has run, and the way to end it. `onCancel` rejects where that did not work. */
export function RunningCall({ call, onCancel }: { call: ToolCall; onCancel: () => Promise<void> }) {
  const [isCancelling, setCancelling] = useState(false)
  const elapsed = useElapsed(call.startedAt ?? call.createdAt)
  const { progress, total, message } = call.progress ?? {}
  const cancel = () => {
    setCancelling(true)
    onCancel().catch(() => setCancelling(false))
  }
  return (
    <div className={styles.running}>
      <progress
        aria-label={`Progress of ${visibleText(nameOf(call))}`}
        value={total ? progress : undefined}
        max={total || undefined}
      />
      <span className={styles.note}>
        {message ? `${visibleText(message)} · ` : ''}
        {progress !== undefined && !message ? `${progress}${total ? ` of ${total}` : ''} · ` : ''}
        {durationInWords(elapsed)}
      </span>
      <Button small icon="stop" disabled={isCancelling} onClick={cancel}>
        {isCancelling ? 'Cancelling…' : 'Cancel'}
      </Button>
    </div>
  )
}
