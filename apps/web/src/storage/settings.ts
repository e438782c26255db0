import * as z from 'zod/mini'
import { Failed } from '#domain/failure.ts'
import type { SettingKey, Settings } from '#domain/setting.ts'
import '#domain/text.ts'
import { checked } from './checked.ts'
import type { Database } from './db.ts'
import { reading, writing } from './in-transaction.ts'
import { setting, settings } from './live.ts'

const schemas: { [Key in SettingKey]: z.ZodMiniType<Settings[Key]> } = {
  theme: z.enum(['system', 'light', 'dark']),
  serversHintSeen: z.union([z.boolean(), z.string().check(z.maxLength(200))]),
  idleLockMinutes: z.number().check(z.gte(1), z.lte(1440)),
  defaultGptId: z.string().check(z.maxLength(200)),
  sidebarOpen: z.boolean(),
  notifyTasks: z.boolean(),
  titlesInTab: z.boolean(),
  protectHintSeen: z.boolean(),
}

/** What the user has set. The vault's row lies in the same table and cannot be reached from here. */
export function createSettings(db: Database) {
  return {
    setting: <Key extends SettingKey>(key: Key): Promise<Settings[Key]> =>
      reading(db, [db.settings], async () => setting(db, key)),

    settings: (): Promise<Settings> => reading(db, [db.settings], async () => settings(db)),

    save: <Key extends SettingKey>(key: Key, value: Settings[Key]): Promise<void> =>
      writing(db, [db.settings], async () => {
        if (!Object.hasOwn(schemas, key)) throw new Failed('bad-input', 'There is no such setting.')
        const row = checked(z.object({ [key]: schemas[key] }), { [key]: value }, 'setting')
        await db.settings.put({ key, value: row[key] })
      }),
  }
}
