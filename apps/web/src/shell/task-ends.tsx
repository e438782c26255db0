import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { isTaskOver } from '#domain/is-task-over.ts'
import type { Task } from '#domain/task.ts'
import { visibleText } from '#lib/visible-text.ts'
import { setting, tasks as lastTasks } from '#storage/live.ts'
import { showToast } from '#ui/toast.tsx'
import { useLive } from '#wiring/use-live.ts'

const LOOKED_AT = 50

const WORDS: Partial<Record<Task['status'], string>> = {
  completed: 'Task finished',
  failed: 'Task failed',
  cancelled: 'Task cancelled',
}

/** Says so when a task ends: in passing where somebody looks, by the system where nobody does and the user wants it. */
export function TaskEnds() {
  const [location, go] = useLocation()
  const [said, setSaid] = useState('')
  const isWanted = useLive((db) => setting(db, 'notifyTasks'), []) ?? false
  const tasks = useLive((db) => lastTasks(db, { serverId: '', state: 'all', limit: LOOKED_AT }), [])
  /** Those that were at work when we last looked: what had ended before is no news. */
  const atWork = useRef(new Set<string>())
  useEffect(() => {
    if (!tasks) return
    const ended = tasks.filter((task) => isTaskOver(task) && atWork.current.has(task.id))
    atWork.current = new Set(tasks.filter((task) => !isTaskOver(task)).map(({ id }) => id))
    for (const task of ended) {
      const place = task.conversationId === '' ? '/tasks' : `/chat/${task.conversationId}`
      const text = `${WORDS[task.status] ?? 'Task lost'}: ${visibleText(task.title || task.toolName)}`
      if (document.hidden && isWanted && Notification.permission === 'granted') notify(text, task.id)
      // In its own chat it stands where one looks; there it is only announced.
      if (location === place || location.startsWith('/tasks')) setSaid(text)
      else showToast(text, { label: 'Show', run: () => go(place) })
    }
  }, [tasks])
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  )
}

/** Every open tab hears of it; the same tag makes one notification of them. */
function notify(text: string, tag: string): void {
  const notice = new Notification(text, { tag: `task-${tag}` })
  notice.addEventListener('click', () => focus())
}
