import { useState } from 'react'
import type { RawMessage } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './tool-card.module.css'

/** What went over the wire for this call, as long as the engine remembers it. */
export function RawMessages({ toolCallId }: { toolCallId: string }) {
  const engine = useEngine()
  const { isBusy, run } = useDeed()
  const [messages, setMessages] = useState<RawMessage[]>()
  const load = async () => setMessages((await run(() => engine.rawMessages({ toolCallId }))) ?? [])
  if (!messages) {
    return (
      <div>
        <Button small look="quiet" busy={isBusy} onClick={() => void load()}>
          Raw messages
        </Button>
      </div>
    )
  }
  return (
    <>
      <h3>Raw messages</h3>
      {messages.length === 0 && <p className={styles.note}>None are kept: they are forgotten when the page is left.</p>}
      {messages.map(({ at, direction, text }, index) => (
        <div key={index}>
          <p className={styles.note}>
            {direction} at {new Date(at).toLocaleTimeString('en-GB')} <CopyButton text={text} />
          </p>
          <pre className={styles.raw}>{visibleText(text)}</pre>
        </div>
      ))}
    </>
  )
}
