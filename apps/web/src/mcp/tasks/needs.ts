import type { Task, TaskEnd } from '#domain/task.ts'

/** What following tasks needs of storage. */
export interface TaskStorage {
  task(id: string): Promise<Task | undefined>
  /** Hears which tasks are not over, now and whenever that changes, in whichever tab. Returns what ends it. */
  watchTasks(hear: (ids: string[]) => void): () => void
  watchTask(id: string, hear: (task: Task | undefined) => void): () => void
  /** False where the call does not run any more. */
  beginTask(task: Task, reply?: string): Promise<boolean>
  /** False where it is over, or gone. */
  changeTask(id: string, change: Partial<Task>): Promise<boolean>
}

/** The part of `navigator.locks` that keeps a task in one tab. */
export interface TaskLocks {
  request<T>(name: string, options: { signal?: AbortSignal }, run: () => Promise<T>): Promise<T>
}

export interface TaskNeeds extends TaskStorage {
  locks: TaskLocks
  /** Writes down how a task ended, unless that is written down already. */
  settle(id: string, end: TaskEnd): Promise<void>
  /** Whoever wrote down the end of a task may not have lived to tell its conversation. */
  tell(conversationId: string): void
}
