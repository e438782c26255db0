import { useState } from 'react'
import type { RawMessage } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import styles from './raw-messages.module.css'

/** A button that shows what went over the wire for a call, as long as the engine remembers it. */
export function RawMessages({
  load,
  heading: Heading,
}: {
  load: () => Promise<readonly RawMessage[]>
  heading: 'h3' | 'h4'
}) {
  const [isBusy, setBusy] = useState(false)
  const [shown, setShown] = useState<{ messages?: readonly RawMessage[] }>()
  const show = () => {
    setBusy(true)
    void load()
      .then(
        (messages) => setShown({ messages }),
        () => setShown({}),
      )
      .finally(() => setBusy(false))
  }
  return (
    <div>
      {shown && <Heading>Raw messages</Heading>}
      {shown?.messages && <RawMessageList messages={shown.messages} />}
      {shown && !shown.messages && <p className={styles.note}>They could not be asked for.</p>}
      {!shown?.messages && (
        <Button small look="quiet" busy={isBusy} onClick={show}>
          {shown ? 'Try again' : 'Raw messages'}
        </Button>
      )}
    </div>
  )
}

/** In both directions, in the order in which they went. */
function RawMessageList({ messages }: { messages: readonly RawMessage[] }) {
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
