import { Failed } from '#domain/failure.ts'
import { wipe } from '#storage/purge.ts'
import { createSettings } from '#storage/settings.ts'
import type { Carried, EngineParts } from './engine-parts.ts'

type Names = 'unlock' | 'lock' | 'setPassphrase' | 'removeProtection' | 'setPasskey' | 'touch' | 'saveSetting' | 'wipe'

export function vaultCommands({ db, vault, mcp }: EngineParts): Carried<Names> {
  const settings = createSettings(db)
  return {
    unlock: (proof) => vault.unlock(proof),
    lock: () => vault.lock(),
    async setPassphrase({ passphrase, current }) {
      if (passphrase === '') throw new Failed('bad-input', 'An empty passphrase protects nothing.')
      await vault.setPassphrase(passphrase, current === undefined ? undefined : { passphrase: current })
    },
    removeProtection: (proof) => vault.removeProtection(proof),
    setPasskey: ({ current, ...passkey }) =>
      vault.setPasskey(passkey, current === undefined ? undefined : { passphrase: current }),
    async touch() {
      vault.touch()
    },
    saveSetting: ({ key, value }) => settings.save(key, value),
    async wipe() {
      mcp.close()
      await wipe(db)
    },
  }
}
