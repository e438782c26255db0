import { outcomeOf } from '../call-tool.ts'
import type { SchemaChecks } from '../check-schema.ts'
import type { Connections } from '../connections.ts'
import type { McpNeeds } from '../needs.ts'
import type { QuestionNeeds } from '../questions/needs.ts'
import { beginTask } from '../questions/questioner.ts'
import type { TaskNeeds } from './needs.ts'
import { createTaskWatcher, type TaskWatcher } from './task-watcher.ts'

interface Around {
  tasks: TaskNeeds
  needs: Pick<McpNeeds, 'secrets' | 'now'>
  connections: Connections
  checks: SchemaChecks
  questions: QuestionNeeds | undefined
}

/** Who looks at tasks, among the rest of this folder. Loaded with the first task. */
export function watchTasks({ tasks, needs: { secrets, now }, connections, checks, questions }: Around): TaskWatcher {
  return createTaskWatcher({
    ...tasks,
    connections,
    secrets,
    now,
    outcomeOf: (result, task, connected) => outcomeOf(result, task, connected, { checks }),
    hearQuestions: (connected, { id, serverId, conversationId }, taskId, keep) =>
      questions
        ? beginTask({ ...connected, needs: questions, now }, { id, serverId, conversationId }, taskId, keep)
        : () => {},
  })
}
