import { type CustomTool, type CustomToolInput, customToolSchema } from '#domain/custom-tool.ts'
import { Failed } from '#domain/failure.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'
import { customTools } from './live.ts'
import { observe } from './observe.ts'
import { findRow } from './soft-delete.ts'

const WHAT = 'custom tool'
/** As many as are read of any server. */
const MAX_TOOLS = 1000

/** The tools that the user described, by the collection they belong to. */
export function createCustomTools(db: Database) {
  /** Inside a transaction on both tables. */
  async function put(rows: readonly CustomTool[], serverId: string): Promise<void> {
    const collection = await findRow(db.mcpServers, serverId, 'collection')
    if (collection.transport !== 'custom')
      throw new Failed('bad-input', `${collection.name} is a server with tools of its own: none can be added to it.`)
    const replaced = new Set(rows.map(({ id }) => id))
    const neighbours = (await customTools(db, serverId)).filter(({ id }) => !replaced.has(id))
    const names = new Set(neighbours.map(({ name }) => name))
    for (const { name } of rows) {
      // Which of the two would be called, nobody could say.
      if (names.has(name)) throw new Failed('bad-input', `${collection.name} has a tool called ${name} already.`)
      names.add(name)
    }
    if (names.size > MAX_TOOLS)
      throw new Failed('bad-input', `A collection holds up to ${MAX_TOOLS} tools; this would be ${names.size}.`)
    await db.customTools.bulkPut([...rows])
  }

  /** Inside a transaction. */
  async function find(id: string): Promise<CustomTool> {
    const row = await db.customTools.get(id)
    if (row) return row
    throw new Failed('not-found', `This ${WHAT} is not there any more. It was deleted here or in another tab.`)
  }

  const rowOf = (serverId: string, given: CustomToolInput, before?: CustomTool): CustomTool => {
    const now = Date.now()
    const { id = crypto.randomUUID(), createdAt = now } = before ?? {}
    return checked(customToolSchema, { ...given, id, serverId, createdAt, updatedAt: now }, WHAT)
  }

  return {
    toolsOf: (serverId: string): Promise<CustomTool[]> =>
      reading(db, [db.customTools], async () => customTools(db, serverId)),

    /** Adds all of them, or none. */
    add: (serverId: string, given: readonly CustomToolInput[]): Promise<CustomTool[]> =>
      writing(db, [db.customTools, db.mcpServers], async () => {
        const rows = given.map((tool) => rowOf(serverId, tool))
        await put(rows, serverId)
        return rows
      }),

    change: (id: string, given: CustomToolInput): Promise<CustomTool> =>
      writing(db, [db.customTools, db.mcpServers], async () => {
        const before = await find(id)
        const row = rowOf(before.serverId, given, before)
        await put([row], before.serverId)
        return row
      }),

    remove: (id: string): Promise<void> =>
      writing(db, [db.customTools], async () => {
        await find(id)
        await db.customTools.delete(id)
      }),

    /** Puts one back that was removed, as it was. */
    restore: (tool: CustomTool): Promise<void> =>
      writing(db, [db.customTools, db.mcpServers], async () => {
        const row = checked(customToolSchema, tool, WHAT)
        await put([row], row.serverId)
      }),

    /** Hears of how a collection's tools are now, and of every change of them, in whichever tab. */
    watch: (serverId: string, onChange: () => void): (() => void) =>
      // At first too: a change between the list that was read before and now would go unheard.
      observe(() => customTools(db, serverId), { next: onChange, error: () => {} }),
  }
}
