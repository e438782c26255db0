import { lazy, Suspense, useEffect, useState } from 'react'
import { keptMark } from '#lib/kept-mark.ts'
import { Explained } from '#ui/explained.tsx'
import { explain } from '#wiring/explain.ts'
import { useEngineState } from '#wiring/use-engine.ts'
import styles from './app.module.css'

const MemoryNotice = lazy(() => import('./storage/memory-notice.tsx').then((m) => ({ default: m.MemoryNotice })))
const FullNotice = lazy(() => import('./storage/full-notice.tsx').then((m) => ({ default: m.FullNotice })))

const LostNotice = lazy(() => import('./storage/lost-notice.tsx').then((m) => ({ default: m.LostNotice })))

/** Whether the browser lost what was here; and what ends the telling. */
function useLost(): [isLost: boolean, forget: () => void] {
  const begun = useEngineState(({ phase, storage, isNew }) =>
    phase !== 'ready' || storage.state !== 'stored' ? undefined : isNew ? 'new' : 'kept',
  )
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (begun === undefined) return
    if (begun === 'new' && keptMark.isThere()) setLost(true)
    keptMark.set(true)
  }, [begun])
  return [isLost, () => setLost(false)]
}

/** That nothing is stored, or that something could not be: it is said on every screen. */
export function StorageNotice() {
  const storage = useEngineState((state) => state.storage)
  const [isLost, forget] = useLost()
  if (storage.state === 'stored')
    return isLost ? (
      <Suspense>
        <LostNotice onSeen={forget} />
      </Suspense>
    ) : null
  const { failure } = storage
  const plain = (
    <div className={styles.storage}>
      <Explained {...explain(failure)} />
    </div>
  )
  if (storage.state === 'failing' && failure.code !== 'storage-full') return plain
  return (
    // What takes its place may not come; that it was not stored is said in any case.
    <Suspense fallback={plain}>
      {storage.state === 'memory' ? (
        <MemoryNotice why={failure} />
      ) : (
        <FullNotice key={storage.what} what={storage.what} why={failure} />
      )}
    </Suspense>
  )
}
