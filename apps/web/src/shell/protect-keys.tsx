import { Link } from 'wouter'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './app.module.css'

export function ProtectKeys() {
  const engine = useEngine()
  return (
    <div className={styles.storage}>
      <Notice
        tone="warn"
        title="Your keys have no passphrase"
        actions={
          <>
            <Link href="/settings/vault">Protect my keys</Link>
            <Button onClick={() => void engine.saveSetting({ key: 'protectHintSeen', value: true })}>
              Keep them like this
            </Button>
          </>
        }
      >
        Anyone with a copy of your browser profile can read them, and so can a script that gets into this page. A
        passphrase or a passkey prevents both.
      </Notice>
    </div>
  )
}
