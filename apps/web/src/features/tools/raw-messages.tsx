import { useState } from 'react'
import type { RawMessage } from '#domain/tool-call.ts'
import { Button } from '#ui/button.tsx'
import { RawMessageList } from '#ui/call/raw-message-list.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'

/** What went over the wire for a call, as long as the engine remembers it. */
export function RawMessages({ toolCallId }: { toolCallId: string }) {
  const engine = useEngine()
  const { isBusy, run } = useDeed()
  const [messages, setMessages] = useState<RawMessage[]>()
  const load = async () => setMessages((await run(() => engine.rawMessages({ toolCallId }))) ?? [])
  return messages ? (
    <div>
      <h4>Raw messages</h4>
      <RawMessageList messages={messages} />
    </div>
  ) : (
    <div>
      <Button small look="quiet" busy={isBusy} onClick={() => void load()}>
        Raw messages
      </Button>
    </div>
  )
}
