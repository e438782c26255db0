import { Link } from 'wouter'
import type { Failure } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import { Button } from '#ui/button.tsx'
import { ServerErrorView } from '#ui/call/server-error.tsx'
import { Notice } from '#ui/notice.tsx'
import { explain } from '#wiring/explain.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { type Change, Doctor } from './diagnosis.tsx'
import styles from './servers.module.css'

/** Why a saved server is not connected, what is wrong, and what to do about it. */
export function LastFailure({
  server,
  failure,
  apply,
  connect,
}: {
  server: Server
  failure: Failure
  /** Into the form: it counts once it is saved. */
  apply: (change: Change) => void
  /** Into the form, and tried at once. */
  connect: (change: Change) => void
}) {
  const engine = useEngine()
  const { title, text, serverError, action } = explain(failure, { serverId: server.id })
  const isLocked = failure.code === 'vault-locked'
  // What comes of it is the state that this shows.
  const retry = () => void engine.connectServer({ serverId: server.id }).catch(() => {})
  return (
    <div className={styles.form}>
      <Notice
        tone={isLocked ? 'info' : 'bad'}
        title={title}
        actions={
          isLocked && action && 'to' in action ? (
            <Link href={action.to}>{action.label}</Link>
          ) : (
            <Button icon="refresh" onClick={retry}>
              Try again
            </Button>
          )
        }
      >
        {text}
        {serverError && <ServerErrorView error={serverError} said={text} />}
      </Notice>
      {!isLocked && (
        <Doctor subject={{ serverId: server.id }} failure={failure} apply={apply} connect={connect} retry={retry} />
      )}
    </div>
  )
}
