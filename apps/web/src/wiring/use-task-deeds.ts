import { failureOf } from '#domain/failure.ts'
import type { Task } from '#domain/task.ts'
import { explain } from './explain.ts'
import { useEngine } from './use-engine.ts'

/** What can be done with a task; `say` gets the words for what did not work. */
export function useTaskDeeds({ id, toolCallId }: Pick<Task, 'id' | 'toolCallId'>, say: (words: string) => void) {
  const engine = useEngine()
  const saying = (deed: () => Promise<void>) => () =>
    deed().catch((error: unknown) => {
      const { title, text } = explain(failureOf(error))
      say(`${title}. ${text}`)
    })
  return {
    cancel: saying(() => engine.cancelCall({ toolCallId })),
    look: saying(() => engine.lookAtTask({ taskId: id })),
    leave: saying(() => engine.leaveTask({ taskId: id })),
  }
}
