import { useState } from 'react'
import type { Failure } from '#domain/failure.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { showToast } from '#ui/toast.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { MakeBackup } from '../../features/settings/backup-section.tsx'
import styles from './storage.module.css'

const SAVED = 'Everything is saved again, also what you did meanwhile.'
const WITHOUT_KEYS = `${SAVED} Only keys that you entered meanwhile have to be entered once more.`

/** There is no database: all there is lies in this tab, and goes with it. */
export function MemoryNotice({ why }: { why: Failure }) {
  const engine = useEngine()
  const { run, isBusy, failure } = useDeed()
  const [isBackingUp, setBackingUp] = useState(false)
  const tryAgain = () =>
    void run(async () => {
      const { withKeys } = await engine.leaveMemory()
      engine.restart()
      showToast(withKeys ? SAVED : WITHOUT_KEYS)
    })
  return (
    <div className={styles.notice}>
      <Notice
        tone="warn"
        title="Nothing is saved"
        actions={
          <>
            <Button small busy={isBusy} onClick={tryAgain}>
              Try again
            </Button>
            <Button small onClick={() => setBackingUp(true)}>
              Save a backup…
            </Button>
          </>
        }
      >
        {why.message} What you do here is gone when this tab closes.
        {failure && (
          <p role="alert" className={styles.still}>
            Not yet: {failure.message}
          </p>
        )}
      </Notice>
      {isBackingUp && <MakeBackup onClose={() => setBackingUp(false)} />}
    </div>
  )
}
