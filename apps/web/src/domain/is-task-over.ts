import type { Task } from './task.ts'

/** The page asks this too, and loads no schemas. */
export const isTaskOver = ({ status }: Pick<Task, 'status'>): boolean =>
  status !== 'working' && status !== 'input_required'
