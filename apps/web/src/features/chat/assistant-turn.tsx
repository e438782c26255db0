import { memo, type ReactNode } from 'react'
import type { Conversation } from '#domain/conversation.ts'
import type { Message, Stream } from '#domain/message.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { stream as streamOf } from '#storage/live.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Notice } from '#ui/notice.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { FailureNotice } from './failure-notice.tsx'
import { Markdown } from '#ui/markdown/markdown.tsx'
import { sayFailure } from './say-failure.ts'
import { ServersHint } from './tool-call/servers-hint.tsx'
import { ToolRun } from './tool-call/tool-run.tsx'
import styles from './turn.module.css'
import { type Segment, segmentsOf, usageOf, wordsOf } from './turns.ts'
import { useKept } from '#wiring/use-kept.ts'
import { Versions } from './versions.tsx'

interface AssistantTurnProps {
  messages: readonly Message[]
  conversation: Conversation
  name: string
  /** Nothing comes after it. */
  isLast: boolean
  /** Its turn runs in this tab or in another, or waits for an answer of the user. */
  isRunning: boolean
}

/** Everything a GPT did in one go: words, thoughts, calls. While it streams, only this is drawn again. */
export const AssistantTurn = memo(
  ({ messages, conversation, name, isLast, isRunning }: AssistantTurnProps) => {
    const last = messages.at(-1)
    const isStreaming = last?.status === 'streaming'
    const arrived = useStream(isStreaming ? last.id : undefined)
    const segments = segmentsOf(
      messages.map((message) =>
        message === last && isStreaming ? { ...message, parts: arrived?.parts ?? [] } : message,
      ),
    )
    const isEmpty = segments.length === 0 && (arrived?.arriving.length ?? 0) === 0
    return (
      <article className={styles.assistant} aria-label={visibleText(name)} aria-busy={isStreaming}>
        {segments.map((segment, index) => (
          <SegmentView
            key={segment.key}
            segment={segment}
            conversationId={conversation.id}
            isGrowing={isStreaming && index === segments.length - 1}
            canGoOn={isLast && !isRunning && index === segments.length - 1}
          />
        ))}
        {arrived?.arriving.map(({ modelName, characters }, index) => (
          <p key={index} className={styles.arriving}>
            Preparing {visibleText(modelName)}… {characters > 0 && plural(characters, 'character')}
          </p>
        ))}
        {isStreaming && isEmpty && <Working />}
        {last && !isStreaming && (
          <Ending messages={messages} last={last} conversation={conversation} isLast={isLast} isRunning={isRunning} />
        )}
        {isLast && !isRunning && (
          <ServersHint callIds={segments.flatMap((segment) => (segment.type === 'tools' ? segment.callIds : []))} />
        )}
      </article>
    )
  },
  (a, b) =>
    a.conversation === b.conversation &&
    a.name === b.name &&
    a.isLast === b.isLast &&
    a.isRunning === b.isRunning &&
    a.messages.length === b.messages.length &&
    a.messages.every((message, index) => message === b.messages[index]),
)

/** What has arrived of a message that streams. The row goes when the message is complete, a moment before that is seen here. */
function useStream(messageId: string | undefined): Stream | undefined {
  const found = useLive(async (db) => (messageId ? await streamOf(db, messageId) : undefined), [messageId])
  const kept = useKept(found)
  return kept?.messageId === messageId ? kept : undefined
}

function SegmentView({
  segment,
  conversationId,
  isGrowing,
  canGoOn,
}: {
  segment: Segment
  conversationId: string
  isGrowing: boolean
  canGoOn: boolean
}): ReactNode {
  switch (segment.type) {
    case 'text':
      return <Markdown text={segment.text} isGrowing={isGrowing} />
    case 'reasoning':
      return (
        <details className={styles.reasoning}>
          <summary>{isGrowing ? 'Thinking…' : 'Thoughts'}</summary>
          <div>{visibleText(segment.text)}</div>
        </details>
      )
    case 'tools':
      return <ToolRun callIds={segment.callIds} conversationId={conversationId} isLast={canGoOn} />
  }
}

/** Three dots of the height of a line, so that the first words push nothing. */
export const Working = () => (
  <p className={styles.working} role="status">
    <span className="visually-hidden">Working…</span>
    <i />
    <i />
    <i />
  </p>
)

/** How it ended, and what can be done with it. */
function Ending({
  messages,
  last,
  conversation,
  isLast,
  isRunning,
}: {
  messages: readonly Message[]
  last: Message
  conversation: Conversation
  isLast: boolean
  isRunning: boolean
}) {
  const engine = useEngine()
  const conversationId = conversation.id
  const canAct = isLast && !isRunning
  const goOn = () => void engine.continueTurn({ conversationId }).catch(sayFailure)
  const first = messages[0] ?? last
  const usage = usageOf(messages)
  return (
    <>
      {last.failure && last.status !== 'stopped' && (
        <FailureNotice failure={last.failure} {...(canAct ? { commands: { continueTurn: goOn } } : {})}>
          {canAct && !offersToContinue(last) && <Button onClick={goOn}>Try again</Button>}
        </FailureNotice>
      )}
      {last.status === 'stopped' && (
        <Notice actions={canAct && <Button onClick={goOn}>Continue</Button>}>Stopped before it was complete.</Notice>
      )}
      {(isComplete(last) || !(isLast && isRunning)) && (
        <div className={styles.actions}>
          <Versions conversation={conversation} order={first.order} />
          <CopyButton text={() => wordsOf(messages)} />
          {!isRunning && (
            <IconButton
              small
              label="Answer again"
              icon="refresh"
              onClick={() => void engine.regenerate({ conversationId, messageId: first.id }).catch(sayFailure)}
            />
          )}
          <span className={styles.facts}>
            {last.model && <span title={last.model.modelId}>{visibleText(last.model.name)}</span>}
            {usage && (
              <span
                title={`${usage.input.toLocaleString('en')} tokens read, ${usage.output.toLocaleString('en')} written`}
              >
                {plural(usage.input + usage.output, 'token')}
              </span>
            )}
          </span>
        </div>
      )}
    </>
  )
}

/** Nothing comes after it in its turn. What runs then is the turn after it, a moment before its question is seen. */
const isComplete = ({ status, parts }: Message): boolean =>
  status === 'done' && parts.every(({ type }) => type !== 'tool')

/** Failures whose own next step is to go on. */
const offersToContinue = ({ failure }: Message): boolean =>
  failure !== undefined && ['rate-limit', 'no-network', 'timeout', 'stopped', 'call-limit'].includes(failure.code)
