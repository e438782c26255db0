import { Link } from 'wouter'
import type { ServerError } from '#domain/failure.ts'
import { Button } from './button.tsx'
import { ServerErrorView } from './call/server-error.tsx'
import { Notice } from './notice.tsx'

/** A failure in words, with its next step: a place to go, or a deed that the screen knows how to do. */
export function Explained({
  title,
  text,
  action,
  serverError,
  onAct,
}: {
  title: string
  text: string
  action?: { label: string; to: string } | { label: string; command: string } | undefined
  /** The server's own error, shown below the text. */
  serverError?: ServerError | undefined
  onAct?: (() => void) | undefined
}) {
  const button = action && 'to' in action ? <Link href={action.to}>{action.label}</Link> : undefined
  return (
    <Notice
      tone="bad"
      title={title}
      actions={button ?? (action && onAct && <Button onClick={onAct}>{action.label}</Button>)}
    >
      {text}
      {serverError && <ServerErrorView error={serverError} said={text} />}
    </Notice>
  )
}
