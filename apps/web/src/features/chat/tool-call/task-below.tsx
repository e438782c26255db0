import type { Task } from '#domain/task.ts'
import { task as taskById } from '#storage/live.ts'
import { TaskProgress } from '#ui/call/task-progress.tsx'
import { showToast } from '#ui/toast.tsx'
import { useLive } from '#wiring/use-live.ts'
import { useTaskDeeds } from '#wiring/use-task-deeds.ts'

/** The task that a call has become, while it goes on. */
export function TaskBelow({ taskId }: { taskId: string }) {
  const task = useLive((db) => taskById(db, taskId), [taskId])
  return task ? <Following task={task} /> : null
}

function Following({ task }: { task: Task }) {
  return <TaskProgress task={task} deeds={useTaskDeeds(task, showToast)} />
}
