import { useEffect, useState } from 'react'
import type { Failure } from '#domain/failure.ts'
import { fileSize } from '#lib/file-size.ts'
import { storageEstimate } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { MakeBackup } from '../../features/settings/backup-section.tsx'
import { FreeSpace } from '../../features/settings/free-space.tsx'
import styles from './storage.module.css'

/** Something could not be written for want of room: what it was, how full it is, and the ways on. */
export function FullNotice({ what, why }: { what: string; why: Failure }) {
  const engine = useEngine()
  const { run, isBusy, failure } = useDeed()
  const [usage, setUsage] = useState<number>()
  const [open, setOpen] = useState<'space' | 'backup'>()
  useEffect(() => {
    storageEstimate().then(
      (size) => setUsage(size.usage),
      () => {},
    )
  }, [open, failure])
  const close = () => setOpen(undefined)
  return (
    <div className={styles.notice}>
      <Notice
        tone="bad"
        title={`There is no room left: ${what} was not saved`}
        actions={
          <>
            <Button small onClick={() => setOpen('space')}>
              Free space…
            </Button>
            <Button small busy={isBusy} onClick={() => void run(() => engine.tryStorage())}>
              Try again
            </Button>
            <Button small onClick={() => setOpen('backup')}>
              Save a backup…
            </Button>
            <Button small onClick={() => engine.restart({ memory: { why, begin: 'stored' } })}>
              Go on without saving
            </Button>
          </>
        }
      >
        {/* What a browser says it would allow is a guess, and no longer true when the disk is full. */}
        {usage !== undefined && `This app uses ${fileSize(usage)}, and there is no place for more. `}
        What is stored is safe, and what you type stays where it is until there is room.
        {failure && (
          <p role="alert" className={styles.still}>
            There is still no room. Free some here or on the disk, or go on without saving.
          </p>
        )}
      </Notice>
      {open === 'space' && <FreeSpace onClose={close} />}
      {open === 'backup' && <MakeBackup onClose={close} />}
    </div>
  )
}
