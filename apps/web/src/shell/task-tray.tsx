import { Link } from 'wouter'
import type { Task } from '#domain/task.ts'
import { visibleText } from '#lib/visible-text.ts'
import styles from './task-tray.module.css'

const SHOWN = 3

/** The tasks that are at work, in every screen. */
export function TaskTray({ tasks }: { tasks: readonly Task[] }) {
  return (
    <ul className={styles.tray} aria-label="Tasks at work">
      {tasks.slice(0, SHOWN).map((task) => (
        <li key={task.id}>
          <Link
            href={task.conversationId === '' ? '/tasks' : `/chat/${task.conversationId}`}
            className={styles.task}
            title={visibleText(`${task.toolName} of ${task.serverName}`)}
          >
            <span className={styles.name}>{visibleText(task.title || task.toolName)}</span>
            <progress
              aria-label={`Progress of ${visibleText(task.title || task.toolName)}`}
              value={task.progress?.total ? task.progress.progress : undefined}
              max={task.progress?.total || undefined}
            />
          </Link>
        </li>
      ))}
    </ul>
  )
}
