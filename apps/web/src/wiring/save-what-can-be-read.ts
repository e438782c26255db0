/** How a file of it begins; `restoreBackup` takes it as it takes a backup, without a passphrase. */
export const RESCUED = 'switchboard-rescue'

/** All that can be read of the database, without any key, as a file. The engine is not needed for it. */
export async function saveWhatCanBeRead(): Promise<{ name: string; text: string; rows: number; unreadable: number }> {
  const { rescue } = await import('#storage/rescue.ts')
  const { tables, unreadable } = await rescue()
  const createdAt = new Date().toISOString()
  return {
    name: `switchboard-${createdAt.slice(0, 10)}.rescue.json`,
    text: JSON.stringify({ format: RESCUED, version: 1, createdAt, rows: tables }, undefined, 1),
    rows: Object.values(tables).reduce((sum, { length }) => sum + length, 0),
    unreadable,
  }
}
