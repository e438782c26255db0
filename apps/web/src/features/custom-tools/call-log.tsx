import { useState } from 'react'
import { Link } from 'wouter'
import type { ToolCall } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { callsOfServer } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { CallArguments } from '#ui/call/call-arguments.tsx'
import { describeCall } from '#ui/call/describe-call.ts'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { CallErrorText } from '#ui/call/server-error.tsx'
import { MediaOf, ResultView } from '#ui/result/result-view.tsx'
import { TimeAgo } from '#ui/time-ago.tsx'
import { useLive } from '#wiring/use-live.ts'
import styles from './custom-tools.module.css'

const STEP = 25

/** The calls of a collection's tools, newest first: by models and by hand. */
export function CallLog({ serverId }: { serverId: string }) {
  const [count, setCount] = useState(STEP)
  const calls = useLive((db) => callsOfServer(db, serverId, count + 1), [serverId, count])
  if (!calls) return null
  if (calls.length === 0)
    return (
      <p className={styles.soft}>
        No calls yet. Each one will stand here: when, how long, what was sent, what came back.
      </p>
    )
  return (
    <>
      <ol className={styles.log} aria-label="Calls, newest first">
        {calls.slice(0, count).map((call) => (
          <LogEntry key={call.id} call={call} />
        ))}
      </ol>
      {calls.length > count && (
        <div>
          <Button small onClick={() => setCount(count + STEP)}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}

function LogEntry({ call }: { call: ToolCall }) {
  const [isOpen, setOpen] = useState(false)
  const { icon, word, facts, state } = describeCall(call)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={classNames(styles.entry, styles[state])}>
          <Icon name={icon} size={16} />
          <span className="visually-hidden">{word}: </span>
          <strong>{visibleText(call.toolName)}</strong>
          <span className={styles.soft}>{facts.join(' · ')}</span>
          <span className={styles.entryTime}>
            <TimeAgo time={call.startedAt ?? call.createdAt} />
          </span>
        </summary>
        {isOpen && (
          <div className={styles.entryBody}>
            <p className={styles.soft}>
              {call.conversationId ? (
                <Link href={`/chat/${call.conversationId}`}>Called in a chat</Link>
              ) : (
                'Called by hand'
              )}
            </p>
            <h3>Arguments</h3>
            <CallArguments json={call.arguments} />
            {call.error && <CallErrorText error={call.error} className={styles.fault} />}
            {(call.content || call.structuredContent !== undefined) && (
              <>
                <h3>Result</h3>
                <MediaOf content={call.content ?? []} />
                <ResultView content={call.content ?? []} structured={call.structuredContent} />
              </>
            )}
          </div>
        )}
      </details>
    </li>
  )
}
