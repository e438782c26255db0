import { editGpt, type GptEdit } from '#domain/edit-gpt.ts'
import { type Gpt, gptSchema, type ToolRef, type TrustedTool } from '#domain/gpt.ts'
import { PRACTICE } from '#domain/model-connection.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'
import { bringBack, findRow, isThere, markDeleted, unlessDeleted } from './soft-delete.ts'

const WHAT = 'GPT'

export type GptChange = Partial<Omit<Gpt, 'id' | 'createdAt' | 'updatedAt' | 'deletedAt'>>

/** A GPT as it is when nothing has been said about it. */
export function newGpt(change: GptChange): Gpt {
  const now = Date.now()
  const fresh = {
    name: 'New GPT',
    description: '',
    icon: '💬',
    instructions: '',
    model: PRACTICE,
    settings: { maxToolCalls: 25 },
    starters: [],
    tools: {
      serverIds: [],
      disabledTools: [],
      approval: 'always-ask',
      trustedTools: [],
      askOnUntrustedContent: true,
      pollSeconds: 5,
      asyncTasks: true,
    },
  }
  return checked(
    gptSchema,
    { ...fresh, ...change, deletedAt: undefined, id: crypto.randomUUID(), createdAt: now, updatedAt: now },
    WHAT,
  )
}

const isTool = (a: ToolRef, b: ToolRef) => a.serverId === b.serverId && a.toolName === b.toolName

/** GPTs; the conversations of one go with it, and come back with it. */
export function createGpts(db: Database) {
  const add = async (row: Gpt): Promise<Gpt> => {
    await db.gpts.add(row)
    return row
  }

  const change = (id: string, decide: (found: Gpt) => GptChange) =>
    writing(db, [db.gpts], async () => {
      const found = await findRow(db.gpts, id, WHAT)
      const { createdAt } = found
      const row = { ...found, ...decide(found), id, createdAt, deletedAt: undefined, updatedAt: Date.now() }
      await db.gpts.put(checked(gptSchema, row, WHAT))
    })

  return {
    gpt: (id: string): Promise<Gpt | undefined> =>
      reading(db, [db.gpts], async () => unlessDeleted(await db.gpts.get(id))),

    create: (given: GptChange): Promise<Gpt> => writing(db, [db.gpts], async () => add(newGpt(given))),

    /** All but whom it trusts, which is changed below alone: a form that was opened earlier gives no trust back. */
    update: (id: string, given: GptEdit): Promise<void> =>
      change(id, (found) => {
        const { trustedTools } = found.tools
        const edited = editGpt(found, given)
        return { ...edited, tools: { ...edited.tools, trustedTools } }
      }),

    duplicate: (id: string): Promise<Gpt> =>
      writing(db, [db.gpts], async () => {
        const found = await findRow(db.gpts, id, WHAT)
        return add(newGpt({ ...found, name: `${found.name.slice(0, 95)} copy`, archivedAt: undefined }))
      }),

    /** Trusts this very definition at this endpoint, in place of an earlier one. */
    trust: (id: string, tool: TrustedTool): Promise<void> =>
      change(id, ({ tools }) => ({
        tools: { ...tools, trustedTools: [...tools.trustedTools.filter((other) => !isTool(other, tool)), tool] },
      })),

    distrust: (id: string, tool: ToolRef): Promise<void> =>
      change(id, ({ tools }) => ({
        tools: { ...tools, trustedTools: tools.trustedTools.filter((other) => !isTool(other, tool)) },
      })),

    remove: (id: string): Promise<{ conversations: number }> =>
      writing(db, [db.gpts, db.conversations], async () => {
        const deletedAt = await markDeleted(db.gpts, id, WHAT)
        const mine = await db.conversations.where('gptId').equals(id).filter(isThere).toArray()
        await db.conversations.bulkPut(mine.map((conversation) => ({ ...conversation, deletedAt })))
        return { conversations: mine.length }
      }),

    /** A conversation that was deleted by itself before stays deleted. */
    restore: (id: string): Promise<void> =>
      writing(db, [db.gpts, db.conversations], async () => {
        const deletedAt = await bringBack(db.gpts, id, WHAT)
        const mine = await db.conversations.where('gptId').equals(id).toArray()
        const itsOwn = mine.filter((conversation) => deletedAt !== undefined && conversation.deletedAt === deletedAt)
        await db.conversations.bulkPut(itsOwn.map(({ deletedAt: _, ...conversation }) => conversation))
      }),
  }
}
