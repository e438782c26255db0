import * as z from 'zod/mini'
import { Failed } from '#domain/failure.ts'
import { idSchema } from '#domain/text.ts'

const bytes = z.instanceof(Uint8Array)
const wrapped = { iv: bytes, wrapped: bytes }

const slotsSchema = z.object({
  device: z.optional(z.object({ ...wrapped, key: z.instanceof(CryptoKey) })),
  passphrase: z.optional(z.object({ ...wrapped, salt: bytes, iterations: z.int() })),
  passkey: z.optional(z.object({ ...wrapped, salt: bytes, credentialId: bytes })),
})
export type Slots = z.infer<typeof slotsSchema>

const vaultRecordSchema = z.object({
  /** Counts every write to the vault; the version of a secret is the revision that wrote it. */
  revision: z.int().check(z.gte(1)),
  /** Names the data key, so that whoever holds an older one notices. */
  keyId: idSchema,
  slots: slotsSchema,
})

/** What is stored of the vault itself: its data key, wrapped once for each way to open it. */
export type VaultRecord = z.infer<typeof vaultRecordSchema>

export const damagedVault = () =>
  new Failed(
    'storage',
    'What is stored of the vault was damaged or changed outside the app, so it stays closed. Restore a backup of this profile, or wipe the app and enter your keys again.',
  )

export function readVaultRecord(value: unknown): VaultRecord | undefined {
  if (value === undefined) return undefined
  const parsed = vaultRecordSchema.safeParse(value)
  if (!parsed.success) throw damagedVault()
  return parsed.data
}
