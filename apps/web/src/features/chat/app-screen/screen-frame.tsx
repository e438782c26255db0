import { useEffect, useMemo, useRef, useState } from 'react'
import { MOST_DENIALS, MUTED } from '#domain/app-call.ts'
import { readArguments } from '#domain/call-arguments.ts'
import type { ToolCall } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './app-screen.module.css'
import { createBridge, type ScreenHost } from './bridge.ts'
import { markedText, putIntoDraft } from './put-into-draft.ts'
import { ScreenRequest, type Wanted } from './screen-request.tsx'
import { resultOf, useScreenCalls } from './use-screen-calls.ts'

const FIRST_HEIGHT = 240
const LOWEST = 80
const HIGHEST = 600
const PATIENCE_MS = 15_000
const BUSY = 'The user is still being asked about something else.'

/** Twice 122 bits that nobody can guess: who knows them was told by us. */
const newWord = () => crypto.randomUUID() + crypto.randomUUID()

/** The frame of a screen and everything that it may ask for. `onEnd` is told why it cannot go on. */
export function ScreenFrame({
  call,
  screenId,
  url,
  onEnd,
}: {
  call: ToolCall
  screenId: string
  url: string
  onEnd: (why: string) => void
}) {
  const engine = useEngine()
  const frame = useRef<HTMLIFrameElement>(null)
  const word = useMemo(newWord, [])
  const [height, setHeight] = useState(FIRST_HEIGHT)
  const [wanted, setWanted] = useState<Wanted>()
  const isAsked = useRef(false)
  const denials = useRef(0)
  const [isMuted, setMuted] = useState(false)
  const port = useRef<MessagePort>(undefined)
  const patience = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { made, untilOver } = useScreenCalls()

  useEffect(
    () => () => {
      clearTimeout(patience.current)
      port.current?.close()
      void engine.closeApp({ screenId }).catch(() => {})
    },
    [engine, screenId],
  )

  /** One question at a time: a second one would be answered in place of the first. */
  async function ask<Reply extends string>(question: (answer: (reply: Reply) => void) => Wanted): Promise<Reply> {
    if (denials.current >= MOST_DENIALS) throw new Error(MUTED)
    if (isAsked.current) throw new Error(BUSY)
    isAsked.current = true
    const reply = await new Promise<Reply>((resolve) => setWanted(question(resolve)))
    isAsked.current = false
    setWanted(undefined)
    if (reply === 'deny') denials.current += 1
    if (denials.current >= MOST_DENIALS) setMuted(true)
    return reply
  }

  const host: ScreenHost = {
    input: inputOf(call),
    result: resultOf(call),
    theme: themeNow(),
    async callTool(toolName, args) {
      if (isAsked.current) throw new Error(BUSY)
      const answer = await engine.requestAppCall({ screenId, toolName, arguments: JSON.stringify(args) })
      if (answer.outcome === 'refused') {
        if (answer.reason === MUTED) setMuted(true)
        throw new Error(answer.reason)
      }
      if (answer.outcome === 'started') return resultOf(await untilOver(answer.toolCallId))
      const { requestId, call: asked } = answer
      const reply = await ask<'once' | 'screen' | 'deny'>((decide) => ({
        kind: 'call',
        ...asked,
        answer: decide,
      })).catch(async (error: unknown) => {
        await engine.answerAppCall({ screenId, requestId, reply: 'deny' })
        throw error
      })
      const { toolCallId } = await engine.answerAppCall({ screenId, requestId, reply })
      if (toolCallId === undefined) throw new Error('The user said no.')
      return resultOf(await untilOver(toolCallId))
    },
    async openLink(to) {
      if ((await ask<'once' | 'deny'>((answer) => ({ kind: 'link', url: to, answer }))) === 'deny')
        throw new Error('The user said no.')
      window.open(to, '_blank', 'noopener,noreferrer')
    },
    async offerMessage(text) {
      if ((await ask<'once' | 'deny'>((answer) => ({ kind: 'message', text, answer }))) === 'deny')
        throw new Error('The user said no.')
      if (!putIntoDraft(markedText(text, call.serverName))) throw new Error('There is no message to put it into.')
    },
    resize: (wish) => setHeight(Math.min(HIGHEST, Math.max(LOWEST, Math.round(wish) || FIRST_HEIGHT))),
    onFlood: () => end('It would not stop sending messages.'),
  }
  function end(why: string): void {
    port.current?.close()
    onEnd(why)
  }

  function shakeHands(): void {
    // A frame is loaded once. Whatever is in it after that is not what was put there.
    if (port.current) return end('It went elsewhere.')
    const { port1, port2 } = new MessageChannel()
    port.current = port1
    patience.current = setTimeout(() => end('It did not start.'), PATIENCE_MS)
    const bridge = createBridge((text) => port1.postMessage(text), host)
    let isMet = false
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isMet) return data === '' ? end('It went elsewhere.') : bridge.hear(data)
      if (data !== word) return
      isMet = true
      clearTimeout(patience.current)
    }
    // To whatever origin: that of a sandbox has no name. Only the page of ours, which is loaded here, knows the word.
    frame.current?.contentWindow?.postMessage(word, '*', [port2])
  }

  return (
    <>
      <iframe
        ref={frame}
        className={styles.frame}
        title={`Screen of ${visibleText(call.serverName)}`}
        src={`${url}#${word}`}
        sandbox="allow-scripts"
        allow=""
        referrerPolicy="no-referrer"
        style={{ height }}
        onLoad={shakeHands}
      />
      {wanted && <ScreenRequest key={keyOf(wanted)} wanted={wanted} serverName={call.serverName} />}
      {isMuted && (
        <p className={styles.note} role="status">
          You said no {MOST_DENIALS} times: what this screen asks for is now refused without asking you.
        </p>
      )}
      {made > 0 && <p className={styles.note}>Tools called for this screen: {made}</p>}
    </>
  )
}

/** The next question has buttons of its own, which a click on the last one's does not reach. */
const keys = new WeakMap<Wanted, number>()
let last = 0
function keyOf(wanted: Wanted): number {
  const known = keys.get(wanted) ?? ++last
  keys.set(wanted, known)
  return known
}

const themeNow = (): 'light' | 'dark' => {
  const { theme } = document.documentElement.dataset
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  return isDark ? 'dark' : 'light'
}

function inputOf({ arguments: text }: ToolCall): Record<string, unknown> {
  const read = readArguments(text)
  return 'value' in read ? read.value : {}
}
