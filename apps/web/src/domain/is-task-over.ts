import type { Task } from './task.ts'

/** The page asks this too, and loads no schemas. */
export const isTaskOver = ({ status }: Pick<Task, 'status'>): boolean =>
  status !== 'working' && status !== 'input_required'

/** Over, and its chat has been told, where it has one: nothing is lost with it. */
export const isTaskTold = (task: Pick<Task, 'status' | 'conversationId' | 'deliveredAt'>): boolean =>
  isTaskOver(task) && (task.deliveredAt !== undefined || task.conversationId === '')
