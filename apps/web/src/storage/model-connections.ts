import { Failed } from '#domain/failure.ts'
import { type ModelConnection, modelConnectionSchema, PRACTICE } from '#domain/model-connection.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { forgetSecrets } from './forget-secrets.ts'
import { reading, writing } from './in-transaction.ts'
import { models } from './live.ts'
import { originOf } from './origin-of.ts'
import { bringBack, findRow, isThere, markDeleted, unlessDeleted } from './soft-delete.ts'

const WHAT = 'model connection'

export type NewModelConnection = Pick<ModelConnection, 'kind' | 'name' | 'baseUrl' | 'api'>

/** What the engine found out about a connection, as against what the user said of it. */
export type LearntOfModel = Partial<Pick<ModelConnection, 'hasKey' | 'models' | 'modelsAt' | 'acceptedMedia'>>

export const secretsOfModel = (id: string) => [`modelConnections:${id}:`]

export function newModelConnection(given: NewModelConnection, id: string = crypto.randomUUID()): ModelConnection {
  const now = Date.now()
  const row = { ...given, id, hasKey: false, models: [], createdAt: now, updatedAt: now }
  return checked(modelConnectionSchema, row, WHAT)
}

const isElsewhere = (a: ModelConnection, b: ModelConnection) =>
  a.kind !== b.kind || originOf(a.baseUrl) !== originOf(b.baseUrl)

/** Services that have models, without their keys. */
export function createModelConnections(db: Database) {
  const refusePractice = (id: string) => {
    if (id === PRACTICE.connectionId)
      throw new Failed('bad-input', 'The practice model comes with the app: it cannot be changed or deleted.')
  }

  return {
    modelConnection: (id: string): Promise<ModelConnection | undefined> =>
      reading(db, [db.modelConnections], async () => unlessDeleted(await db.modelConnections.get(id))),

    modelConnections: (): Promise<ModelConnection[]> => reading(db, [db.modelConnections], async () => models(db)),

    add: (given: NewModelConnection): Promise<ModelConnection> =>
      writing(db, [db.modelConnections], async () => {
        const row = newModelConnection(given)
        await db.modelConnections.add(row)
        return row
      }),

    /** Where the address now belongs to somebody else, the key is gone: nobody said that it is for them. */
    change: (id: string, given: Partial<NewModelConnection>): Promise<ModelConnection> =>
      writing(db, [db.modelConnections, db.secrets, db.settings], async () => {
        refusePractice(id)
        const found = await findRow(db.modelConnections, id, WHAT)
        const { createdAt, deletedAt } = found
        const changed = { ...found, ...given, id, createdAt, deletedAt, updatedAt: Date.now() }
        const row = checked(modelConnectionSchema, changed, WHAT)
        if (!isElsewhere(found, row)) {
          await db.modelConnections.put(row)
          return row
        }
        const { modelsAt: _, acceptedMedia: __, ...fresh } = { ...row, hasKey: false, models: [] }
        await forgetSecrets(db, secretsOfModel(id))
        await db.modelConnections.put(fresh)
        return fresh
      }),

    /** A connection that is gone by now is left alone. */
    learn: (id: string, learnt: LearntOfModel): Promise<void> =>
      writing(db, [db.modelConnections], async () => {
        const found = unlessDeleted(await db.modelConnections.get(id))
        if (found) await db.modelConnections.put(checked(modelConnectionSchema, { ...found, ...learnt, id }, WHAT))
      }),

    /** Tells how many GPTs use it. */
    remove: (id: string): Promise<{ gpts: number }> =>
      writing(db, [db.modelConnections, db.gpts], async () => {
        refusePractice(id)
        await markDeleted(db.modelConnections, id, WHAT)
        return { gpts: await db.gpts.filter((gpt) => isThere(gpt) && gpt.model.connectionId === id).count() }
      }),

    restore: (id: string): Promise<void> =>
      writing(db, [db.modelConnections], async () => {
        await bringBack(db.modelConnections, id, WHAT)
      }),
  }
}
