import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Failure } from '#domain/failure.ts'
import { Button } from '#ui/button.tsx'
import { ServerErrorView } from '#ui/call/server-error.tsx'
import { Notice } from '#ui/notice.tsx'
import type { CommandName } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'

/** What happened and what to do about it: a place to go, or a button for a command that this screen can give. */
export function FailureNotice({
  failure,
  serverId,
  tone = 'bad',
  commands = {},
  children,
  details,
}: {
  failure: Failure
  serverId?: string
  tone?: 'bad' | 'warn'
  commands?: { [Name in CommandName]?: () => void }
  /** More buttons. */
  children?: ReactNode
  /** More to read, below the text. */
  details?: ReactNode
}) {
  const { title, text, action, serverError } = explain(failure, { serverId })
  const run = action && 'command' in action ? commands[action.command] : undefined
  const step =
    action && 'to' in action ? (
      <Link href={action.to}>{action.label}</Link>
    ) : (
      run && <Button onClick={run}>{action?.label}</Button>
    )
  return (
    <Notice
      tone={tone}
      title={title}
      actions={
        (step || children) && (
          <>
            {step}
            {children}
          </>
        )
      }
    >
      {text}
      {serverError && <ServerErrorView error={serverError} said={text} />}
      {details}
    </Notice>
  )
}
