import type { RawMessage } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { CopyButton } from '../copy-button.tsx'
import styles from './raw-message-list.module.css'

/** What went over the wire for one call, in both directions, in the order in which it went. */
export function RawMessageList({ messages }: { messages: readonly RawMessage[] }) {
  if (messages.length === 0)
    return <p className={styles.note}>None are kept: they are forgotten when the page is left.</p>
  return messages.map(({ at, direction, text }, index) => (
    <div key={index}>
      <p className={styles.note}>
        {direction} at {new Date(at).toLocaleTimeString('en-GB')} <CopyButton text={text} />
      </p>
      <pre className={styles.raw} role="region" aria-label={`Message ${index + 1}, ${direction}`} tabIndex={0}>
        {visibleText(text)}
      </pre>
    </div>
  ))
}
