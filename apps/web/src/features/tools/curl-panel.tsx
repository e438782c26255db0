import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Explained } from '#ui/explained.tsx'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './curl-panel.module.css'

/** The call as a command line: copied, and shown, so that one sees what one pastes. */
export function CurlPanel({
  place,
  text,
}: {
  place: { serverId: string; toolName: string }
  /** The arguments as they are now. */
  text: () => string
}) {
  const engine = useEngine()
  const { isBusy, failure, run } = useDeed()
  const [command, setCommand] = useState<string>()
  const make = async () => {
    const made = await run(() => engine.curlOf({ ...place, arguments: text() }))
    setCommand(made?.text)
    if (!made) return
    await navigator.clipboard.writeText(made.text).then(
      () => showToast('Copied as curl, without secrets.'),
      // Where the browser forbids it, the button below it is still there.
      () => {},
    )
  }
  return (
    <>
      <Button icon="copy" busy={isBusy} onClick={() => void make()}>
        Copy as curl
      </Button>
      {failure && <Explained {...explain(failure, { serverId: place.serverId })} action={undefined} />}
      {command !== undefined && (
        <div className={styles.panel}>
          <pre className={styles.command} role="region" aria-label="As curl" tabIndex={0}>
            {command}
          </pre>
          <div>
            <CopyButton withWords text={command} label="Copy" />
            <Button small look="quiet" onClick={() => setCommand(undefined)}>
              Close
            </Button>
          </div>
        </div>
      )}
    </>
  )
}
