import { type RefObject, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Conversation } from '#domain/conversation.ts'
import type { Message } from '#domain/message.ts'
import { bringsTask } from '#domain/next-step.ts'
import { shownWindow } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Notice } from '#ui/notice.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { AssistantTurn, Working } from './assistant-turn.tsx'
import styles from './message-list.module.css'
import { sayFailure } from './say-failure.ts'
import { keepSame, turnsOf } from './turns.ts'
import { useKept } from '#wiring/use-kept.ts'
import { useStickToEnd } from './use-stick-to-end.ts'
import { UserMessage } from './user-message.tsx'

/** So many messages are drawn at first, and so many more each time earlier ones are asked for. */
const PAGE = 60
const NONE: Message[] = []

/** The conversation. Only the last messages are read and drawn; the reader stays where they are. */
export function MessageList(props: {
  conversation: Conversation
  name: string
  isRunning: boolean
  /** A call waits for an answer of the user. */
  isAsked: boolean
}) {
  const { name, isRunning, isAsked } = props
  const conversation = useSameBranches(props.conversation)
  const [count, setCount] = useState(PAGE)
  const found = useKept(
    useLive((db) => shownWindow(db, conversation.id, count), [conversation.id, conversation.branchId, count]),
  )
  // What was found is drawn in small steps: so many messages at once would hold up the page.
  const messages = useDeferredValue(useSameMessages(found?.messages), NONE)
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { isAtEnd, goToEnd, stick } = useStickToEnd(scroller, content)
  const stayInPlace = useStayInPlace(scroller, messages[0]?.id)
  useEndOnNewQuestion(messages, stick)

  const showEarlier = () => {
    stayInPlace()
    setCount(count + PAGE)
  }
  const turns = useMemo(() => turnsOf(messages), [messages])
  const last = turns.at(-1)
  return (
    <div className={styles.area}>
      <h2 className="visually-hidden">Conversation</h2>
      <div
        ref={scroller}
        className={classNames(styles.scroller, isAtEnd && styles.atEnd)}
        role="log"
        aria-live="off"
        aria-label="Conversation"
        tabIndex={0}
      >
        <div ref={content} className={styles.column}>
          {found?.hasEarlier && (
            <div className={styles.earlier}>
              <Button onClick={showEarlier}>Earlier messages</Button>
            </div>
          )}
          {turns.map((turn) => (
            <div key={turn.key} data-role={turn.role} className={classNames(styles.turn, turn !== last && styles.far)}>
              {turn.role === 'user' ? (
                <UserMessage message={turn.message} conversation={conversation} canEdit={!isRunning} />
              ) : (
                <AssistantTurn
                  messages={turn.messages}
                  conversation={conversation}
                  name={name}
                  isLast={turn === last}
                  isRunning={isRunning || (isAsked && turn === last)}
                />
              )}
            </div>
          ))}
          {last?.role === 'user' && (isRunning ? <Working /> : <Unanswered conversationId={conversation.id} />)}
        </div>
      </div>
      {!isAtEnd && (
        <div className={styles.toEnd}>
          <Button icon="bottom" onClick={goToEnd}>
            To the end
          </Button>
        </div>
      )}
    </div>
  )
}

/** A turn that is about to begin has begun by then. */
const BEGUN_MS = 2_000

/** A question that nobody answers: the app was closed too early, or the answer could not be stored. */
function Unanswered({ conversationId }: { conversationId: string }) {
  const engine = useEngine()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), BEGUN_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  const answer = () => void engine.continueTurn({ conversationId }).catch(sayFailure)
  return <Notice actions={<Button onClick={answer}>Answer it</Button>}>This was not answered.</Notice>
}

/** A conversation's row changes with every message; what is drawn of it changes with its branches alone. */
function useSameBranches(conversation: Conversation): Conversation {
  const { id, branchId, branches } = conversation
  return useMemo(() => conversation, [id, branchId, branches.length])
}

function useSameMessages(read: readonly Message[] | undefined): Message[] {
  const kept = useRef<Message[]>([])
  return useMemo(() => {
    kept.current = keepSame(kept.current, read ?? [])
    return kept.current
  }, [read])
}

/** Until what came into sight has been measured, and its place is no guess any more. */
const FRAMES_TO_SETTLE = 3

/** Earlier messages grow above what is read; without this the reader would be thrown to the first of them. */
function useStayInPlace(scroller: RefObject<HTMLElement | null>, firstId: string | undefined): () => void {
  const anchor = useRef<{ element: Element; top: number }>(undefined)
  useLayoutEffect(() => {
    const area = scroller.current
    const held = anchor.current
    anchor.current = undefined
    if (!area || !held) return
    const settle = (frames: number) => {
      if (!held.element.isConnected) return
      area.scrollTop += held.element.getBoundingClientRect().top - held.top
      if (frames > 0) requestAnimationFrame(() => settle(frames - 1))
    }
    settle(FRAMES_TO_SETTLE)
  }, [scroller, firstId])
  return () => {
    const element = scroller.current?.querySelector('[data-role=user]')
    if (element) anchor.current = { element, top: element.getBoundingClientRect().top }
  }
}

/** Who asks something wants to see the answer: said with the drawing itself, as a moment later they may have scrolled up. */
function useEndOnNewQuestion(messages: readonly Message[], stick: () => void): void {
  // The end of a task is written as one, and was asked for by nobody.
  const lastQuestion = messages.findLast((message) => message.role === 'user' && !bringsTask(message))?.id
  useLayoutEffect(() => {
    if (lastQuestion) stick()
  }, [lastQuestion, stick])
}
