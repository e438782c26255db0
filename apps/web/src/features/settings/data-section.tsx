import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { fileSize } from '#lib/file-size.ts'
import { keptMark } from '#lib/kept-mark.ts'
import { forgetNotes } from '#lib/session-note.ts'
import { storageEstimate } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/page.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { BackupSection } from './backup-section.tsx'
import { BrowserTracesSection } from './browser-traces-section.tsx'
import { FreeSpaceSection } from './free-space.tsx'
import { ImportChat } from './import-chat.tsx'
import styles from './settings.module.css'

export function DataSection() {
  const [size, setSize] = useState<Awaited<ReturnType<typeof storageEstimate>>>()
  const look = () => void storageEstimate().then(setSize, () => setSize(undefined))
  useEffect(look, [])
  return (
    <>
      <Section
        title="Storage"
        hint="Everything is in this browser, under this address. Another browser or another port does not see it."
      >
        {size && (
          <p>
            {fileSize(size.usage)} used{size.quota > 0 && ` of ${fileSize(size.quota)} that the browser allows`}.
          </p>
        )}
        {size &&
          (size.isPersisted ? (
            <p>The browser has promised not to clear it by itself.</p>
          ) : (
            <Notice
              actions={
                <Button onClick={() => void navigator.storage.persist().then(look)}>Ask the browser to keep it</Button>
              }
            >
              When the disk is full, or nobody comes here for a while, the browser may clear what is here. It can be
              asked not to; until it agrees, make a backup now and then.
            </Notice>
          ))}
      </Section>
      <FreeSpaceSection onFreed={look} />
      <BackupSection />
      <ImportChat />
      <Section
        title="Messages with servers"
        hint="What the app and its servers last said to each other, for whoever looks for a fault."
      >
        <Link href="/messages">Look at them, or save them as a file</Link>
      </Section>
      <BrowserTracesSection />
      <Wipe />
    </>
  )
}

const WORD = 'delete everything'

function Wipe() {
  const engine = useEngine()
  const { run, isBusy, failure } = useDeed()
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const wipe = () =>
    void run(async () => {
      await engine.wipe()
      keptMark.set(false)
      forgetNotes()
      // What this page still holds belongs to what is gone.
      location.hash = '#/'
      location.reload()
    })
  return (
    <Section
      title="Delete everything"
      hint="All GPTs, chats, servers, keys and settings of this browser. It cannot be undone. What the browser itself keeps is listed above."
    >
      <div>
        <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
          Delete everything…
        </Button>
      </div>
      <Dialog
        title="Delete everything?"
        open={isAsking}
        onClose={() => setAsking(false)}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button look="danger" busy={isBusy} disabled={typed.trim().toLowerCase() !== WORD} onClick={wipe}>
              Delete everything
            </Button>
          </>
        }
      >
        <p>Nobody can bring it back, not even you. Make a backup first if anything of it is worth keeping.</p>
        <TextField label={`Type “${WORD}”`} value={typed} onChange={(event) => setTyped(event.target.value)} />
        {failure && <Notice tone="bad">{failure.message}</Notice>}
        <p className={styles.soft}>The demo comes back afterwards, as on the first day.</p>
      </Dialog>
    </Section>
  )
}
