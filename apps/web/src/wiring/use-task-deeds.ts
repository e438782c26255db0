import { failureOf } from '#domain/failure.ts'
import type { Task } from '#domain/task.ts'
import { explain } from './explain.ts'
import { useEngine } from './use-engine.ts'

/** What can be done with a task, and whether it worked; `say` gets the words for what did not. */
export function useTaskDeeds({ id, toolCallId }: Pick<Task, 'id' | 'toolCallId'>, say: (words: string) => void) {
  const engine = useEngine()
  const saying = (deed: () => Promise<void>) => () =>
    deed().then(
      () => true,
      (error: unknown) => {
        const { title, text } = explain(failureOf(error))
        say(`${title}. ${text}`)
        return false
      },
    )
  return {
    cancel: saying(() => engine.cancelCall({ toolCallId })),
    look: saying(() => engine.lookAtTask({ taskId: id })),
    leave: saying(() => engine.leaveTask({ taskId: id })),
  }
}
