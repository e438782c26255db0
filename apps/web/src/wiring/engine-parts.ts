import type { Models } from '#agent/models.ts'
import type { Turns } from '#agent/run-turn.ts'
import type { createMcp } from '#mcp/create-mcp.ts'
import type { FlightRecorder } from '#mcp/flight-recorder.ts'
import type { createConversations } from '#storage/conversations.ts'
import type { Database } from '#storage/db.ts'
import type { createGpts } from '#storage/gpts.ts'
import type { createMessages } from '#storage/messages.ts'
import type { createModelConnections } from '#storage/model-connections.ts'
import type { createServers } from '#storage/servers.ts'
import type { createTasks } from '#storage/tasks.ts'
import type { Vault } from '#vault/vault.ts'
import type { Commands } from './commands.ts'

/** What the engine is made of, as the commands use it. */
export interface EngineParts {
  db: Database
  conversations: ReturnType<typeof createConversations>
  messages: ReturnType<typeof createMessages>
  gpts: ReturnType<typeof createGpts>
  servers: ReturnType<typeof createServers>
  connections: ReturnType<typeof createModelConnections>
  vault: Vault
  turns: Turns
  models: Models
  mcp: ReturnType<typeof createMcp>
  tasks: ReturnType<typeof createTasks>
  recorder: Pick<FlightRecorder, 'flush'>
  startOpenApiWorker: () => Worker
}

/** A command as the engine carries it out. */
export type Carried<Name extends keyof Commands> = {
  [One in Name]: (...input: Parameters<Commands[One]>) => Promise<ReturnType<Commands[One]>>
}
