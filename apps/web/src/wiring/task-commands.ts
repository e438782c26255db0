import type { Carried, EngineParts } from './engine-parts.ts'

type Names = 'lookAtTask' | 'leaveTask' | 'clearTasks'

const LEFT = 'You stopped looking at this task. It may have gone on at its server: look there before you run it again.'

export function taskCommands({ turns, mcp, tasks }: EngineParts): Carried<Names> {
  return {
    async lookAtTask({ taskId }) {
      await tasks.changeTask(taskId, { lookWantedAt: Date.now() })
      mcp.wakeTasks()
    },
    leaveTask: ({ taskId }) =>
      turns.settleTask(taskId, { status: 'left', failure: { code: 'outcome-unknown', message: LEFT } }),
    clearTasks: () => tasks.clear(),
  }
}
