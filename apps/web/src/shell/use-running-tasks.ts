import type { Task } from '#domain/task.ts'
import { runningTasks } from '#storage/live.ts'
import { useLive } from '#wiring/use-live.ts'

export const useRunningTasks = (): readonly Task[] => useLive((db) => runningTasks(db), []) ?? []
