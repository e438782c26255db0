// For tests: an engine that writes, in a worker of its own.
import { Database } from './db.ts'
import { answer, startedConversation } from './sample-rows.ts'
import { createTurnStorage } from './turn-storage.ts'

async function write(name: string) {
  const db = new Database(name)
  const storage = createTurnStorage(db)
  const { id } = await startedConversation(db)
  const { id: messageId } = await storage.append(answer(id))
  await storage.grow({ messageId, conversationId: id, parts: [{ type: 'text', text: 'So far' }], arriving: [] })
  await storage.complete(messageId, { parts: [{ type: 'text', text: 'All of it' }] }, [])
}

addEventListener('message', ({ data }: MessageEvent<string>) => void write(data))
