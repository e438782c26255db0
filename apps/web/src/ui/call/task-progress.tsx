import { useState } from 'react'
import type { Task } from '#domain/task.ts'
import { durationInWords } from '#lib/in-words.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '../button.tsx'
import styles from './task-progress.module.css'
import { useElapsed } from './use-elapsed.ts'

/** What can be done with a task that goes on; false where it did not work, which is said elsewhere. */
export interface TaskDeeds {
  cancel: () => Promise<boolean>
  look: () => Promise<boolean>
  leave: () => Promise<boolean>
}

const nameOf = ({ title, toolName }: Pick<Task, 'title' | 'toolName'>): string => visibleText(title || toolName)

/** How far a task is, what its server says of it, for how long it has worked, and the way to end it. */
export function TaskProgress({ task, deeds }: { task: Task; deeds: TaskDeeds }) {
  const elapsed = useElapsed(task.createdAt)
  const [isBusy, setBusy] = useState(false)
  // What was asked for is seen a little after it was: until then nobody asks again.
  const [isAsked, setAsked] = useState(false)
  const { progress, message, ttlMs, cancelRequestedAt, trouble } = task
  const doing = (deed: TaskDeeds['look']) => () => {
    setBusy(true)
    return deed().finally(() => setBusy(false))
  }
  const left = ttlMs === undefined ? undefined : ttlMs - elapsed
  return (
    <div className={styles.task}>
      <progress
        aria-label={`Progress of ${nameOf(task)}`}
        value={progress?.total ? progress.progress : undefined}
        max={progress?.total || undefined}
      />
      <span className={styles.note}>
        {message ? `${visibleText(message)} · ` : ''}
        {durationInWords(elapsed)}
        {left !== undefined && (
          <span title="For so long its server says it keeps the task">
            {' '}
            · {left > 0 ? `kept for ${durationInWords(left)}` : 'its time is over'}
          </span>
        )}
      </span>
      {cancelRequestedAt === undefined ? (
        <Button
          small
          icon="stop"
          disabled={isBusy || isAsked}
          onClick={() => void doing(deeds.cancel)().then(setAsked)}
        >
          Cancel
        </Button>
      ) : (
        <span className={styles.note} role="status">
          Cancel requested…
        </span>
      )}
      {trouble && (
        <div className={styles.trouble}>
          <span>Nobody can look at it now: {visibleText(trouble.message)} It may go on.</span>
          <span className={styles.buttons}>
            <Button small icon="refresh" disabled={isBusy} onClick={() => void doing(deeds.look)()}>
              Look again
            </Button>
            <Button small disabled={isBusy} onClick={() => void doing(deeds.leave)()}>
              Stop looking
            </Button>
          </span>
        </div>
      )}
    </div>
  )
}
