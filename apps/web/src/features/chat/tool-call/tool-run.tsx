import type { ToolCall } from '#domain/tool-call.ts'
import { calls as callsById } from '#storage/live.ts'
import { Icon } from '#ui/icon.tsx'
import { useLive } from '#wiring/use-live.ts'
import { durationInWords } from '#lib/in-words.ts'
import { useKept } from '#wiring/use-kept.ts'
import { ApprovalCard } from './approval-card.tsx'
import { spanOf } from '#ui/call/describe-call.ts'
import { planRun } from './plan-run.ts'
import { ToolCard } from './tool-card.tsx'
import styles from './tool-card.module.css'

/** Calls that follow each other. `isLast` where nothing comes after them in the conversation. */
export function ToolRun({
  callIds,
  conversationId,
  isLast,
}: {
  callIds: readonly string[]
  conversationId: string
  isLast: boolean
}) {
  const calls = useKept(useLive((db) => callsById(db, callIds), [callIds.join()]))
  if (!calls) return <div className={styles.placeholder} />
  const canGoOn = ({ id }: ToolCall) => isLast && !calls.some(({ repeats }) => repeats === id)
  return (
    <div className={styles.run}>
      {planRun(calls).map((item) => {
        switch (item.type) {
          case 'ask': {
            const key = item.calls.map(({ id }) => id).join()
            return <ApprovalCard key={key} calls={item.calls} conversationId={conversationId} />
          }
          case 'one':
            return <ToolCard key={item.call.id} call={item.call} canGoOn={canGoOn(item.call)} />
          case 'group':
            return (
              <details key={item.calls[0]?.id} className={styles.group}>
                <summary className={styles.line}>
                  <Icon name="check" size={16} />
                  <span>
                    {item.calls.length} tools · {durationInWords(spanOf(item.calls))}
                  </span>
                </summary>
                {item.calls.map((call) => (
                  <ToolCard key={call.id} call={call} canGoOn={canGoOn(call)} />
                ))}
              </details>
            )
        }
      })}
    </div>
  )
}
