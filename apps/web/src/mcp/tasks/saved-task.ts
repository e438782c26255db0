import type { SavedTask } from '@switchboard/mcp'
import { taskSecretId } from '#domain/sealed.ts'
import type { Task } from '#domain/task.ts'
import type { SecretSource } from '../needs.ts'

type Whose = Pick<Task, 'id' | 'serverId'>

/** What it takes to find a task again, in whichever engine. Whoever has it can read and end the task: it lies in the vault. */
export const sealTask = (secrets: SecretSource, task: Whose, saved: SavedTask): Promise<void> =>
  secrets.seal(taskSecretId(task), JSON.stringify(saved))

/** Undefined where nothing could be kept. Rejects with `Failed` (`vault-locked`). */
export async function openSavedTask(secrets: SecretSource, task: Whose): Promise<SavedTask | undefined> {
  const text = await secrets.open(taskSecretId(task))
  return text === undefined ? undefined : (JSON.parse(text) as SavedTask)
}

export const forgetSavedTask = (secrets: SecretSource, task: Whose): Promise<void> => secrets.remove(taskSecretId(task))
