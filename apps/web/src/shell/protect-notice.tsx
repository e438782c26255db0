import { lazy, Suspense } from 'react'
import { setting, storesKeys } from '#storage/live.ts'
import { useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'

const ProtectKeys = lazy(() => import('./protect-keys.tsx').then((m) => ({ default: m.ProtectKeys })))

/** Where it would be in the way: chats, and the screen that says the same at length. */
const isElsewhere = (location: string) => !/^\/($|chat\/|gpt\/|settings\/vault)/.test(location)

/** Suggests a passphrase or passkey once the first key is stored without one. */
export function ProtectNotice({ location }: { location: string }) {
  const isUnprotected = useEngineState(
    ({ vault, storage }) => vault.protection === 'device' && storage.state === 'stored',
  )
  const isWanted = useLive(async (db) => (await storesKeys(db)) && !(await setting(db, 'protectHintSeen')), [])
  if (!isUnprotected || !isWanted || !isElsewhere(location)) return null
  return (
    <Suspense fallback={null}>
      <ProtectKeys />
    </Suspense>
  )
}
