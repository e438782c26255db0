import { lazy, Suspense, useMemo, useState } from 'react'
import type { ToolCall } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { FailureNotice } from '../failure-notice.tsx'
import { sayFailure } from '../say-failure.ts'
import { CallArguments } from '#ui/call/call-arguments.tsx'
import { describeCall, nameOf } from '#ui/call/describe-call.ts'
import { modelShare, shareInWords, shareOnLine } from '#ui/call/model-share.ts'
import { RawMessages } from '#ui/call/raw-messages.tsx'
import { RunningCall } from '#ui/call/running-call.tsx'
import { MediaOf, ResultView } from '#ui/result/result-view.tsx'
import { QuestionsBelow } from '../question/questions-below.tsx'
import { TaskBelow } from './task-below.tsx'
import styles from './tool-card.module.css'

const AppScreen = lazy(() => import('../app-screen/app-screen.tsx').then((m) => ({ default: m.AppScreen })))

/** While it is in one of these, what it asks has to be seen. */
const ASKS: ReadonlySet<ToolCall['status']> = new Set(['asking', 'running', 'task'])

/** A call as a line that opens to everything known of it. What needs to be seen or decided stands below the line. */
export function ToolCard({ call, canGoOn }: { call: ToolCall; canGoOn: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const engine = useEngine()
  const { state, icon, word, facts } = describeCall(call)
  // A result comes with the end of its call and stays: a row that is read again has the same one.
  const share = useMemo(() => shareOnLine(call), [call.id, call.status])
  const cancel = () =>
    engine.cancelCall({ toolCallId: call.id }).catch((error: unknown) => {
      sayFailure(error)
      throw error
    })
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
            {share && ` · ${share}`}
          </span>
        </summary>
        {isOpen && <CallDetails call={call} />}
      </details>
      {state === 'running' && <RunningCall call={call} onCancel={cancel} />}
      {state === 'task' && <TaskBelow taskId={call.taskId ?? ''} />}
      {ASKS.has(call.status) && <QuestionsBelow call={call} />}
      {state === 'denied' && call.approval?.reason && <p className={styles.note}>You said: {call.approval.reason}</p>}
      <CallFailure call={call} canGoOn={canGoOn} />
      <MediaOf content={call.content ?? []} />
      {call.appUri !== undefined && call.content && (
        <Suspense>
          <AppScreen call={call} />
        </Suspense>
      )}
    </div>
  )
}

function CallDetails({ call }: { call: ToolCall }) {
  const engine = useEngine()
  const share = useMemo(() => modelShare(call), [call.id, call.status])
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
          {share && <p className={styles.note}>{shareInWords(share)}</p>}
          {showsReason(call) ? (
            <p className={styles.note}>It is shown below, with the failure.</p>
          ) : (
            <ResultView content={call.content ?? []} structured={call.structuredContent} />
          )}
        </>
      )}
      {!ASKS.has(call.status) && <QuestionsBelow call={call} />}
      <RawMessages heading="h3" load={() => engine.rawMessages({ toolCallId: call.id })} />
    </div>
  )
}

/** The result of a call that its tool reports as failed is the reason: it is shown without opening the card. */
const showsReason = ({ error, content, structuredContent }: ToolCall): boolean =>
  error?.code === 'tool-failed' && (content !== undefined || structuredContent !== undefined)

function CallFailure({ call, canGoOn }: { call: ToolCall; canGoOn: boolean }) {
  const engine = useEngine()
  if (!call.error) return null
  const isUnknown = call.status === 'unknown'
  // A call from an untrusted backup has no approval, and the engine repeats none without.
  const isAllowed = call.approval?.state === 'approved'
  const runAgain = () => void engine.runAgain({ toolCallId: call.id }).catch(sayFailure)
  return (
    <div className={styles.below}>
      <FailureNotice
        failure={call.error}
        serverId={call.serverId}
        tone="warn"
        {...(canGoOn && isAllowed ? { commands: { runAgain } } : {})}
        {...(showsReason(call) && {
          details: <ResultView content={call.content ?? []} structured={call.structuredContent} />,
        })}
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
