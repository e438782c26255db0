import { useState } from 'react'
import type { ToolCall } from '#domain/tool-call.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { CallArguments } from '#ui/call/call-arguments.tsx'
import { describeCall } from '#ui/call/describe-call.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { TimeAgo } from '#ui/time-ago.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './call-history.module.css'
import { CallResult } from './call-result.tsx'

const MAX_PREVIEW = 120

interface Deeds {
  onReplay: (call: ToolCall) => void
  onPut: (call: ToolCall) => void
}

/** What was tried before, newest first. */
export function CallHistory({
  calls,
  hasMore,
  onMore,
  place,
  onReplay,
  onPut,
}: Deeds & {
  calls: readonly ToolCall[]
  hasMore: boolean
  onMore: () => void
  place: { serverId: string; toolName: string }
}) {
  const engine = useEngine()
  const [isClearing, setClearing] = useState(false)
  return (
    <section className={styles.history} aria-label="History">
      <div className={styles.head}>
        <h3>History</h3>
        {calls.length > 0 &&
          (isClearing ? (
            <span className={styles.sure}>
              Clear {hasMore ? 'all calls' : plural(calls.length, 'call')}?
              <Button
                small
                look="danger"
                autoFocus
                onClick={() => {
                  setClearing(false)
                  void engine.clearCalls(place)
                }}
              >
                Clear
              </Button>
              <Button small onClick={() => setClearing(false)}>
                Keep
              </Button>
            </span>
          ) : (
            <Button small look="quiet" icon="trash" onClick={() => setClearing(true)}>
              Clear…
            </Button>
          ))}
      </div>
      {calls.length === 0 && (
        <p className={styles.soft}>
          What you run here is kept, to be looked at and run again: the last 200 calls of a server.
        </p>
      )}
      <ul className={styles.calls}>
        {calls.map((call) => (
          <PastCall key={call.id} call={call} onReplay={onReplay} onPut={onPut} />
        ))}
      </ul>
      {hasMore && (
        <div>
          <Button small onClick={onMore}>
            Show more
          </Button>
        </div>
      )}
    </section>
  )
}

function PastCall({ call, onReplay, onPut }: Deeds & { call: ToolCall }) {
  const engine = useEngine()
  const [isOpen, setOpen] = useState(false)
  const { state, icon, word, facts } = describeCall(call)
  const isOver = call.completedAt !== undefined
  const preview = call.arguments.slice(0, MAX_PREVIEW)
  return (
    <li className={styles.call}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={classNames(styles.line, styles[state])}>
          <Icon name={icon} size={16} />
          <span className={styles.words}>
            <span className={styles.facts}>
              <span>{word}</span>
              {facts.filter((fact) => fact !== word && !fact.startsWith('allowed')).map((fact) => ` · ${fact}`)} ·{' '}
              <TimeAgo time={call.createdAt} />
            </span>
            <code className={styles.preview}>
              {visibleText(preview)}
              {call.arguments.length > MAX_PREVIEW && '…'}
            </code>
          </span>
        </summary>
        {isOpen && (
          <div className={styles.details}>
            <h4>Arguments</h4>
            <CallArguments json={call.arguments} />
            <h4>Result</h4>
            <CallResult call={call} onAgain={() => onReplay(call)} onReload={() => onPut(call)} />
          </div>
        )}
      </details>
      <div className={styles.deeds}>
        <Button small look="quiet" icon="refresh" onClick={() => onReplay(call)} title="Fills in the form and runs it">
          Replay
        </Button>
        <Button small look="quiet" icon="edit" onClick={() => onPut(call)} title="Fills in the form">
          Edit
        </Button>
        <IconButton
          small
          label="Delete this call"
          icon="trash"
          disabled={!isOver}
          onClick={() => void engine.deleteCall({ toolCallId: call.id })}
        />
      </div>
    </li>
  )
}
