import { useEffect, useId, useState } from 'react'
import { plural } from '#lib/plural.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { download } from '#ui/download.ts'
import { Explained } from '#ui/explained.tsx'
import { TextField, Tick } from '#ui/field.tsx'
import { FileButton } from '#ui/file-button.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/page.tsx'
import { showToast } from '#ui/toast.tsx'
import type { BackupSummary } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { ModelServicesNotice } from './model-services-notice.tsx'
import { passphraseStrength } from './passphrase-strength.ts'
import styles from './settings.module.css'
import { SkippedRows } from './skipped-rows.tsx'
import { hasTrust, TrustResetNotice } from './trust-reset-notice.tsx'

/** Everything as one file, sealed with a passphrase of its own; and back. */
export function BackupSection() {
  const [isAsking, setAsking] = useState(false)
  const [file, setFile] = useState<{ name: string; bytes: Uint8Array }>()
  // What would be restored into the memory of this tab ends with the reload that follows it.
  const isInMemory = useEngineState(({ storage }) => storage.state === 'memory')
  const whyNot = useId()
  return (
    <Section
      title="Backup"
      hint="Everything that is here as one file, sealed with a passphrase. Without that passphrase nobody can open it, not even you."
    >
      <div className={styles.actions}>
        <Button icon="download" onClick={() => setAsking(true)}>
          Make a backup…
        </Button>
        {isInMemory ? (
          <Button icon="upload" disabled aria-describedby={whyNot}>
            Restore a backup…
          </Button>
        ) : (
          <FileButton
            accept=".backup,.json"
            onFile={(chosen) =>
              void chosen
                .arrayBuffer()
                .then((content) => setFile({ name: chosen.name, bytes: new Uint8Array(content) }))
            }
          >
            Restore a backup…
          </FileButton>
        )}
      </div>
      {isInMemory && (
        <div id={whyNot}>
          <Notice tone="warn">
            Nothing is saved, so no backup can be restored now: it would be gone as soon as the page reloads. The notice
            “Nothing is saved” tells why. Once that is mended, press “Try again” there, and restore the backup then.
          </Notice>
        </div>
      )}
      {isAsking && <MakeBackup onClose={() => setAsking(false)} />}
      {file && !isInMemory && <Restore {...file} onClose={() => setFile(undefined)} />}
    </Section>
  )
}

/** Asks for the passphrase of a backup, and makes it. */
export function MakeBackup({ onClose }: { onClose: () => void }) {
  const engine = useEngine()
  const { run, isBusy, failure } = useDeed()
  const [passphrase, setPassphrase] = useState('')
  const [withSecrets, setWithSecrets] = useState(false)
  const [skipped, setSkipped] = useState<BackupSummary['skipped']>()
  const make = () =>
    void run(async (isWanted) => {
      const made = await engine.makeBackup({ passphrase, withSecrets })
      if (!isWanted()) return
      download(made.name, made.bytes as Uint8Array<ArrayBuffer>)
      showToast(`The backup is in your downloads: ${made.name}`)
      if (made.skipped.length > 0) setSkipped(made.skipped)
      else onClose()
    })
  if (skipped)
    return (
      <Dialog
        title="The backup is not complete"
        open
        onClose={onClose}
        footer={
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        }
      >
        <p>The file is in your downloads, and everything not listed here comes back from it.</p>
        <SkippedRows title="Damaged here, so a restore leaves it out" skipped={skipped} />
      </Dialog>
    )
  return (
    <Dialog
      title="Make a backup"
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={isBusy} disabled={passphrase === ''} onClick={make}>
            {isBusy ? 'Sealing…' : 'Make the backup'}
          </Button>
        </>
      }
    >
      <TextField
        label="A passphrase for this file"
        type="password"
        autoComplete="new-password"
        autoFocus
        value={passphrase}
        hint={passphrase ? passphraseStrength(passphrase).words : 'Keep it where you will find it again.'}
        onChange={(event) => setPassphrase(event.target.value)}
      />
      <Tick
        label="With keys and sign-ins"
        hint="Otherwise the keys of models and servers have to be entered again after restoring."
        checked={withSecrets}
        onChange={setWithSecrets}
      />
      {failure && <Explained {...explain(failure)} />}
    </Dialog>
  )
}

function Restore({ name, bytes, onClose }: { name: string; bytes: Uint8Array; onClose: () => void }) {
  const engine = useEngine()
  const { run, isBusy, failure } = useDeed()
  const [passphrase, setPassphrase] = useState('')
  const [summary, setSummary] = useState<BackupSummary>()
  const [withTrust, setWithTrust] = useState(false)
  const look = () => void run(async () => setSummary(await engine.readBackup({ bytes, passphrase })))
  // What was rescued from a database that did not open is not sealed: there is nothing to ask for.
  const isPlain = bytes[0] === 0x7b
  useEffect(() => {
    if (isPlain) look()
  }, [])
  const restore = () =>
    void run(async () => {
      await engine.restoreBackup({ bytes, passphrase, withTrust })
      // What this page still holds belongs to what was replaced.
      location.hash = '#/'
      location.reload()
    })
  return (
    <Dialog
      title={`Restore ${name}`}
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {summary ? (
            <Button look="danger" busy={isBusy} onClick={restore}>
              Replace everything with it
            </Button>
          ) : (
            <Button look="primary" busy={isBusy} disabled={passphrase === '' && !isPlain} onClick={look}>
              Open it
            </Button>
          )}
        </>
      }
    >
      {summary ? (
        <>
          <p>
            Of {new Date(summary.createdAt).toLocaleString()}: {plural(summary.gpts, 'GPT')},{' '}
            {plural(summary.conversations, 'conversation')}, {plural(summary.servers, 'server')}
            {summary.secrets > 0 ? ` and ${plural(summary.secrets, 'key')}` : '; no keys'}.
          </p>
          <p>
            It takes the place of everything that is in this browser now. Make a backup of that first if you want it.
          </p>
          {summary.skipped.length > 0 && (
            <SkippedRows title="Some of it is damaged and will be left out" skipped={summary.skipped} />
          )}
          <ModelServicesNotice models={summary.models} />
          <TrustResetNotice reset={summary.reset} isKept={withTrust} />
          {summary.isSealed && hasTrust(summary.reset) && (
            <Tick
              label="I made this backup myself: restore its trust too"
              hint="Leave this off for a file that somebody gave you, even if it came with a passphrase."
              checked={withTrust}
              onChange={setWithTrust}
            />
          )}
        </>
      ) : isPlain ? null : (
        <TextField
          label="The passphrase of this file"
          type="password"
          autoComplete="off"
          autoFocus
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
        />
      )}
      {failure && <Explained {...explain(failure)} />}
    </Dialog>
  )
}
