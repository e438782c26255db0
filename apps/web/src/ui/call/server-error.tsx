import type { Failure, ServerError } from '#domain/failure.ts'
import { visibleText } from '#lib/visible-text.ts'
import styles from './server-error.module.css'

const CODE_NAMES: { [code: number]: string } = {
  [-32700]: 'parse error',
  [-32600]: 'invalid request',
  [-32601]: 'method not found',
  [-32602]: 'invalid params',
  [-32603]: 'internal error',
}

/** The code, message and data of a server's JSON-RPC error. `said` is the text above it, which may quote the message. */
export function ServerErrorView({ error: { code, message, data }, said }: { error: ServerError; said: string }) {
  const shownMessage = visibleText(message)
  return (
    <dl className={styles.error}>
      {code !== undefined && (
        <div>
          <dt>Code</dt>
          <dd>
            {code}
            {CODE_NAMES[code] !== undefined && ` (${CODE_NAMES[code]})`}
          </dd>
        </div>
      )}
      {shownMessage !== '' && !said.includes(shownMessage) && (
        <div>
          <dt>Message</dt>
          <dd className={styles.text}>{shownMessage}</dd>
        </div>
      )}
      {data !== undefined && (
        <div>
          <dt>Data</dt>
          <dd>
            <pre className={styles.data} role="region" aria-label="Data of the error" tabIndex={0}>
              {visibleText(indented(data))}
            </pre>
          </dd>
        </div>
      )}
    </dl>
  )
}

/** Why a call failed, as text, with the server's own error below it. */
export function CallErrorText({
  error: { message, serverError },
  className,
}: {
  error: Failure
  className?: string | undefined
}) {
  const text = visibleText(message)
  return (
    <>
      <p className={className}>{text}</p>
      {serverError && <ServerErrorView error={serverError} said={text} />}
    </>
  )
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    // It was cut, or a credential in it was hidden.
    return json
  }
}
