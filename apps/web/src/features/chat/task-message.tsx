import { useState } from 'react'
import type { ToolCall } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { calls as callsById } from '#storage/live.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { nameOf, describeCall } from '#ui/call/describe-call.ts'
import { CallErrorText } from '#ui/call/server-error.tsx'
import { ResultView } from '#ui/result/result-view.tsx'
import { useLive } from '#wiring/use-live.ts'
import styles from './task-message.module.css'

/** What came of a task, where it entered the conversation: nobody typed it, and the model was told. */
export function TaskMessage({ toolCallId }: { toolCallId: string }) {
  const call = useLive((db) => callsById(db, [toolCallId]), [toolCallId])?.at(-1)
  const [isOpen, setOpen] = useState(false)
  if (!call) return null
  const { icon, words } = wordsFor(call)
  const { facts } = describeCall(call)
  return (
    <article className={styles.message} aria-label={`Task of ${visibleText(nameOf(call))}`}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.line}>
          <Icon name={icon} size={16} />
          <span>
            {words}: <strong>{visibleText(nameOf(call))}</strong>
            {facts.map((fact) => ` · ${fact}`)}
          </span>
        </summary>
        {isOpen && (
          <div className={styles.body}>
            <p className={styles.note}>
              The model was given this as data of {visibleText(call.serverName)}, and goes on with it.
            </p>
            {call.error && <CallErrorText error={call.error} />}
            {(call.content || call.structuredContent !== undefined) && (
              <ResultView content={call.content ?? []} structured={call.structuredContent} />
            )}
          </div>
        )}
      </details>
    </article>
  )
}

function wordsFor({ status }: ToolCall): { icon: IconName; words: string } {
  switch (status) {
    case 'success':
      return { icon: 'check', words: 'Task finished' }
    case 'cancelled':
      return { icon: 'stop', words: 'Task cancelled' }
    case 'unknown':
      return { icon: 'question', words: 'Task lost' }
    default:
      return { icon: 'warning', words: 'Task failed' }
  }
}
