import { Link } from 'wouter'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import styles from './storage.module.css'

/** There was a database here, and the browser gave an empty one. */
export function LostNotice({ onSeen }: { onSeen: () => void }) {
  return (
    <div className={styles.notice}>
      <Notice
        tone="warn"
        title="What was stored here is gone"
        actions={
          <>
            <Link href="/settings/data" onClick={onSeen}>
              Restore a backup
            </Link>
            <Button small onClick={onSeen}>
              Go on without it
            </Button>
          </>
        }
      >
        The browser has thrown away the database of this app, perhaps because its files were damaged, and the app has
        begun anew.
      </Notice>
    </div>
  )
}
