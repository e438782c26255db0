import { useEffect, useState } from 'react'
import type { ToolCall } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { FailureNotice } from '../failure-notice.tsx'
import { durationInWords } from '../in-words.ts'
import { sayFailure } from '../say-failure.ts'
import { CallArguments } from './call-arguments.tsx'
import { describeCall, nameOf } from './describe-call.ts'
import { MediaOf, ResultView } from './result-view.tsx'
import { RawMessages } from './raw-messages.tsx'
import styles from './tool-card.module.css'

/** A call as a line that opens to everything known of it. What needs to be seen or decided stands below the line. */
export function ToolCard({ call, canGoOn }: { call: ToolCall; canGoOn: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { state, icon, word, facts } = describeCall(call)
  return (
    <div className={styles.card}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={classNames(styles.line, styles[state])}>
          <Icon name={icon} size={16} />
          <span className="visually-hidden">{word}: </span>
          <span className={styles.words}>
            <span className={styles.name} title={visibleText(`${call.toolName} of ${call.serverName}`)}>
              {visibleText(nameOf(call))}
            </span>
            {facts.map((fact) => ` · ${fact}`)}
          </span>
        </summary>
        {isOpen && <CallDetails call={call} />}
      </details>
      {state === 'running' && <Running call={call} />}
      {state === 'denied' && call.approval?.reason && <p className={styles.note}>You said: {call.approval.reason}</p>}
      <CallFailure call={call} canGoOn={canGoOn} />
      <MediaOf content={call.content ?? []} />
    </div>
  )
}

function CallDetails({ call }: { call: ToolCall }) {
  return (
    <div className={styles.details}>
      <p className={styles.note}>
        <code>{visibleText(call.toolName)}</code> of {visibleText(call.serverName) || 'no server'}
      </p>
      <h3>Arguments</h3>
      <CallArguments json={call.arguments} />
      {call.proposedArguments !== undefined && (
        <>
          <h3>What the model had proposed</h3>
          <CallArguments json={call.proposedArguments} />
        </>
      )}
      {(call.content || call.structuredContent !== undefined) && (
        <>
          <h3>Result</h3>
          <ResultView content={call.content ?? []} structured={call.structuredContent} />
        </>
      )}
      <RawMessages toolCallId={call.id} />
    </div>
  )
}

/** How far it is, for how long it has run, and the way to end it. */
function Running({ call }: { call: ToolCall }) {
  const engine = useEngine()
  const [isCancelling, setCancelling] = useState(false)
  const elapsed = useElapsed(call.startedAt ?? call.createdAt)
  const { progress, total, message } = call.progress ?? {}
  const cancel = () => {
    setCancelling(true)
    void engine.cancelCall({ toolCallId: call.id }).catch((error: unknown) => {
      setCancelling(false)
      sayFailure(error)
    })
  }
  return (
    <div className={styles.running}>
      <progress
        aria-label={`Progress of ${visibleText(nameOf(call))}`}
        value={total ? progress : undefined}
        max={total || undefined}
      />
      <span className={styles.note}>
        {message ? `${visibleText(message)} · ` : ''}
        {progress !== undefined && !message ? `${progress}${total ? ` of ${total}` : ''} · ` : ''}
        {durationInWords(elapsed)}
      </span>
      <Button small icon="stop" disabled={isCancelling} onClick={cancel}>
        {isCancelling ? 'Cancelling…' : 'Cancel'}
      </Button>
    </div>
  )
}

function useElapsed(since: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - since) / 1_000) * 1_000)
}

function CallFailure({ call, canGoOn }: { call: ToolCall; canGoOn: boolean }) {
  const engine = useEngine()
  if (!call.error) return null
  const isUnknown = call.status === 'unknown'
  const runAgain = () => void engine.runAgain({ toolCallId: call.id }).catch(sayFailure)
  return (
    <div className={styles.below}>
      <FailureNotice
        failure={call.error}
        serverId={call.serverId}
        tone="warn"
        {...(canGoOn ? { commands: { runAgain } } : {})}
      >
        {isUnknown && canGoOn && (
          <Button onClick={() => void engine.continueTurn({ conversationId: call.conversationId }).catch(sayFailure)}>
            Go on without it
          </Button>
        )}
      </FailureNotice>
    </div>
  )
}
