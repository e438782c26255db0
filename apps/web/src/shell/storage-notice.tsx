import { lazy, Suspense } from 'react'
import { Explained } from '#ui/explained.tsx'
import { explain } from '#wiring/explain.ts'
import { useEngineState } from '#wiring/use-engine.ts'
import styles from './app.module.css'

const MemoryNotice = lazy(() => import('./storage/memory-notice.tsx').then((m) => ({ default: m.MemoryNotice })))
const FullNotice = lazy(() => import('./storage/full-notice.tsx').then((m) => ({ default: m.FullNotice })))

/** That nothing is stored, or that something could not be: it is said on every screen. */
export function StorageNotice() {
  const storage = useEngineState((state) => state.storage)
  if (storage.state === 'stored') return null
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
