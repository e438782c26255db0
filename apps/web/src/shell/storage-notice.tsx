import { Explained } from '#ui/explained.tsx'
import { explain } from '#wiring/explain.ts'
import { useEngineState } from '#wiring/use-engine.ts'
import styles from './app.module.css'

/** What a turn could not write into its conversation, for want of room or of a database: it has no other place to be told. */
export function StorageNotice() {
  const storage = useEngineState((state) => state.storage)
  if (storage.state === 'stored') return null
  return (
    <div className={styles.storage}>
      <Explained {...explain(storage.failure)} />
    </div>
  )
}
