import { modelOrigin } from '#agent/model-address.ts'
import { Failed, failureOf } from '#domain/failure.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import { isKeyOfUser } from '#domain/sealed.ts'
import {
  type BackupRows,
  type BadRow,
  checkEverything,
  checkForFile,
  readEverything,
  replaceEverything,
} from '#storage/backup.ts'
import { createSecrets } from '#storage/secrets.ts'
import { withoutTrust } from '#storage/without-trust.ts'
import { lockFile, openLockedFile, tooLarge } from '#vault/locked-file.ts'
import type { BackupSummary } from './commands.ts'
import type { EngineParts } from './engine-parts.ts'
import { RESCUED } from './save-what-can-be-read.ts'

const FORMAT = 'switchboard-backup'

interface Backup {
  format: typeof FORMAT
  version: 1
  createdAt: string
  rows: BackupRows
  /** Rows that failed their checks while this was written. They are kept for whoever may be able to read them. */
  damaged?: BackupRows
  /** By `secretId(…)`; none where the user wanted none. */
  secrets: Record<string, string>
}

/** A backup that was read. Anybody can write an unsealed file, so one of those brings neither keys nor trust. */
type ReadBackup = Omit<Backup, 'damaged'> & { isSealed: boolean; skipped: BadRow[] }

/** The token of the companion is of one run and one browser. */
const isOfHere = (id: string) => id.startsWith('mcpServers:companion:')

export async function makeBackup(
  { db, vault }: EngineParts,
  { passphrase, withSecrets }: { passphrase: string; withSecrets: boolean },
): Promise<{ name: string; bytes: Uint8Array; skipped: BadRow[] }> {
  if (withSecrets && vault.state().state === 'locked')
    throw new Failed('vault-locked', 'Unlock the vault first: the keys to be backed up are in it.')
  const secrets: Record<string, string> = {}
  const badSecrets: BadRow[] = []
  if (withSecrets) {
    const { sealed } = await createSecrets(db).read()
    for (const { id } of sealed.filter((one) => !isOfHere(one.id)))
      try {
        const text = await vault.open(id)
        if (text !== undefined) secrets[id] = text
      } catch (error) {
        // A vault that locked in the meantime has all the others too: without them it is not the backup that was wanted.
        if (failureOf(error).code === 'vault-locked') throw error
        badSecrets.push({ table: 'secrets', id, field: 'the whole row' })
      }
  }
  const { rows, bad, damaged } = checkForFile(await readEverything(db))
  const createdAt = new Date().toISOString()
  const backup: Backup = {
    format: FORMAT,
    version: 1,
    createdAt,
    // Without the tokens themselves, what is known of them would be wrong.
    rows: withSecrets ? rows : { ...rows, mcpOAuthTokens: [] },
    ...(bad.length > 0 && { damaged }),
    secrets,
  }
  return {
    name: `switchboard-${createdAt.slice(0, 10)}.backup`,
    bytes: await lockFile(asText(backup), passphrase),
    skipped: [...bad, ...badSecrets],
  }
}

function asText(backup: Backup): string {
  try {
    return JSON.stringify(backup)
  } catch {
    // Every row went through JSON before: together they are longer than a string can be.
    throw tooLarge()
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
  const isRescued = !isSealed && String(format) === RESCUED
  if (format !== FORMAT && !isRescued) throw new Failed('bad-input', 'This file holds no backup of this app.')
  if (version !== 1 && !isRescued) throw new Failed('bad-input', 'This backup was made by a newer version of this app.')
  const texts = isSealed ? Object.entries(secrets ?? {}) : []
  const usable = texts.filter(([id, text]) => typeof text === 'string' && !isOfHere(id))
  const checked = checkEverything(rows)
  return {
    format: FORMAT,
    version: 1,
    createdAt: String(createdAt),
    rows: checked.rows,
    secrets: Object.fromEntries(usable),
    isSealed,
    skipped: checked.bad,
  }
}

/** None for the practice model and for an address that the app refuses: neither is ever contacted. */
function hostOf(connection: ModelConnection): string | undefined {
  try {
    return connection.kind === 'practice' ? undefined : new URL(modelOrigin(connection)).host
  } catch {
    return undefined
  }
}

const summaryOf = ({ createdAt, rows, secrets, isSealed, skipped }: ReadBackup): BackupSummary => ({
  createdAt,
  gpts: rows.gpts.length,
  conversations: rows.conversations.length,
  servers: rows.mcpServers.length,
  secrets: Object.keys(secrets).length,
  isSealed,
  skipped,
  models: (rows.modelConnections as ModelConnection[]).flatMap((connection) => {
    const host = hostOf(connection)
    return host === undefined ? [] : [{ id: connection.id, name: connection.name, host }]
  }),
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
  const rows = withTrust ? backup.rows : withoutTrust(backup.rows).rows
  const secrets = createSecrets(db)
  // Without trust no call or task goes on, so nothing is kept of what it would take to continue one.
  const texts = Object.fromEntries(Object.entries(backup.secrets).filter(([id]) => withTrust || isKeyOfUser(id)))
  await vault.replaceAll(texts, isOfHere, (expected, change) =>
    replaceEverything(db, rows, () => secrets.commit(expected, change)),
  )
  // Only now: a restore that failed leaves everything running as it was.
  mcp.close()
  return summaryOf(backup)
}
