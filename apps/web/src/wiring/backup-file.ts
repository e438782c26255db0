import { Failed } from '#domain/failure.ts'
import { type BackupRows, checkEverything, readableRows, readEverything, replaceEverything } from '#storage/backup.ts'
import { createSecrets } from '#storage/secrets.ts'
import { withoutTrust } from '#storage/without-trust.ts'
import { lockFile, openLockedFile } from '#vault/locked-file.ts'
import type { BackupSummary } from './commands.ts'
import type { EngineParts } from './engine-parts.ts'
import { RESCUED } from './save-what-can-be-read.ts'

const FORMAT = 'switchboard-backup'

interface Backup {
  format: typeof FORMAT
  version: 1
  createdAt: string
  rows: BackupRows
  /** By `secretId(…)`; none where the user wanted none. */
  secrets: Record<string, string>
}

/** A backup that was read. Anybody can write an unsealed file, so one of those brings neither keys nor trust. */
type ReadBackup = Backup & { isSealed: boolean }

/** The token of the companion is of one run and one browser. */
const isOfHere = (id: string) => id.startsWith('mcpServers:companion:')

export async function makeBackup(
  { db, vault }: EngineParts,
  { passphrase, withSecrets }: { passphrase: string; withSecrets: boolean },
): Promise<{ name: string; bytes: Uint8Array }> {
  if (withSecrets && vault.state().state === 'locked')
    throw new Failed('vault-locked', 'Unlock the vault first: the keys to be backed up are in it.')
  const secrets: Record<string, string> = {}
  if (withSecrets) {
    const { sealed } = await createSecrets(db).read()
    for (const { id } of sealed) {
      const text = isOfHere(id) ? undefined : await vault.open(id)
      if (text !== undefined) secrets[id] = text
    }
  }
  const rows = await readEverything(db)
  const createdAt = new Date().toISOString()
  const backup: Backup = {
    format: FORMAT,
    version: 1,
    createdAt,
    // Without the tokens themselves, what is known of them would be wrong.
    rows: withSecrets ? rows : { ...rows, mcpOAuthTokens: [] },
    secrets,
  }
  return {
    name: `switchboard-${createdAt.slice(0, 10)}.backup`,
    bytes: await lockFile(JSON.stringify(backup), passphrase),
  }
}

/** `{`: what was rescued from a database that did not open is not sealed. */
const isPlain = ([first]: Uint8Array) => first === 0x7b

async function openBackup(bytes: Uint8Array, passphrase: string): Promise<ReadBackup> {
  let value: unknown
  try {
    value = JSON.parse(isPlain(bytes) ? new TextDecoder().decode(bytes) : await openLockedFile(bytes, passphrase))
  } catch (error) {
    throw error instanceof Failed ? error : new Failed('bad-input', 'This file holds no backup of this app.')
  }
  const { format, version, createdAt, rows, secrets } = (value ?? {}) as Partial<Backup>
  const isSealed = !isPlain(bytes)
  if (!isSealed && String(format) === RESCUED)
    return { format: FORMAT, version: 1, createdAt: String(createdAt), rows: readableRows(rows), secrets: {}, isSealed }
  if (format !== FORMAT) throw new Failed('bad-input', 'This file holds no backup of this app.')
  if (version !== 1) throw new Failed('bad-input', 'This backup was made by a newer version of this app.')
  const texts = isSealed ? Object.entries(secrets ?? {}).filter(([, text]) => typeof text === 'string') : []
  return {
    format,
    version,
    createdAt: String(createdAt),
    rows: checkEverything(rows),
    secrets: Object.fromEntries(texts),
    isSealed,
  }
}

const summaryOf = ({ createdAt, rows, secrets, isSealed }: ReadBackup): BackupSummary => ({
  createdAt,
  gpts: rows.gpts.length,
  conversations: rows.conversations.length,
  servers: rows.mcpServers.length,
  secrets: Object.keys(secrets).length,
  isSealed,
  reset: withoutTrust(rows).reset,
})

export const readBackup = async ({
  bytes,
  passphrase,
}: {
  bytes: Uint8Array
  passphrase: string
}): Promise<BackupSummary> => summaryOf(await openBackup(bytes, passphrase))

/** Replaces everything that is here with the backup. Trust comes along only where the person said that the file is their own. */
export async function restoreBackup(
  { db, vault, mcp }: EngineParts,
  { bytes, passphrase, withTrust }: { bytes: Uint8Array; passphrase: string; withTrust: boolean },
): Promise<BackupSummary> {
  const backup = await openBackup(bytes, passphrase)
  if (withTrust && !backup.isSealed)
    throw new Failed('bad-input', 'This file is not sealed, so anybody could have written it: it brings no trust.')
  // Before anything is changed: what is restored without its keys would have to be entered again.
  if (vault.state().state === 'locked')
    throw new Failed('vault-locked', 'Unlock the vault first: what is restored is sealed with its key.')
  mcp.close()
  await replaceEverything(db, withTrust ? backup.rows : withoutTrust(backup.rows).rows)
  const { sealed } = await createSecrets(db).read()
  for (const { id } of sealed) if (!isOfHere(id)) await vault.remove(id)
  for (const [id, text] of Object.entries(backup.secrets)) await vault.seal(id, text)
  return summaryOf(backup)
}
