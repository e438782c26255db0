import { lazy, Suspense, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import type { Conversation } from '#domain/conversation.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { Attachment } from '#domain/message.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import {
  conversation as conversationById,
  gpt as gptById,
  model as modelById,
  openQuestions,
  pendingApprovals,
} from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { GptIcon } from '#ui/gpt-icon.tsx'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { ChangedTools } from './changed-tools.tsx'
import { ChatHeader, ConversationMenu } from './chat-header.tsx'
import styles from './chat-screen.module.css'
import { Composer } from './composer.tsx'
import { preloadMarkdown } from '#ui/markdown/markdown.tsx'
import { sayFailure } from './say-failure.ts'
import { type Obstacle, whyNotSend } from './why-not-send.ts'

const loadMessages = async () => ({ default: (await import('./message-list.tsx')).MessageList })
const MessageList = lazy(loadMessages)

/** Loads what a conversation is drawn with, and a new chat is not. */
function preload(): void {
  void loadMessages()
  preloadMarkdown()
}

/** A conversation, and the place to go on with it. */
export function ChatScreen({ conversationId }: { conversationId: string }) {
  const found = useLive(
    async (db) => {
      const conversation = await conversationById(db, conversationId)
      const gpt = conversation && (await gptById(db, conversation.gptId))
      return { conversation, gpt, connection: gpt && (await modelById(db, gpt.model.connectionId)) }
    },
    [conversationId],
  )
  useEffect(preload, [])
  if (!found) return null
  const { conversation, gpt, connection } = found
  if (!conversation || !gpt) return <Gone what="chat" />
  return <OpenChat conversation={conversation} gpt={gpt} connection={connection} />
}

function OpenChat({
  conversation,
  gpt,
  connection,
}: {
  conversation: Conversation
  gpt: Gpt
  connection: ModelConnection | undefined
}) {
  const engine = useEngine()
  const conversationId = conversation.id
  const turn = useEngineState(({ turns }) => turns[conversationId])
  const isAsked = useLive(pendingApprovals, [])?.some((call) => call.conversationId === conversationId) ?? false
  const hasQuestion =
    useLive(openQuestions, [])?.some((one) => one.conversationId === conversationId && !one.ofTask) ?? false
  const obstacle = useObstacle(connection, { turn, isAsked, hasQuestion })
  useTitle(conversation.title)
  return (
    <div className={styles.screen}>
      <ChatHeader gpt={gpt} connection={connection}>
        <ConversationMenu conversation={conversation} />
      </ChatHeader>
      <Suspense fallback={<div className={styles.loading} aria-busy="true" />}>
        <MessageList
          conversation={conversation}
          name={gpt.name}
          isRunning={turn !== undefined}
          isAsked={isAsked || hasQuestion}
        />
      </Suspense>
      <ChangedTools serverIds={gpt.tools.serverIds} />
      <Composer
        draftId={conversationId}
        serverIds={gpt.tools.serverIds}
        obstacle={obstacle}
        turning={turn === undefined ? undefined : conversation.branchId}
        onSend={(text, attachments, after) =>
          engine.sendMessage({ conversationId, text, attachments, ...(after !== undefined && { after }) })
        }
        onStop={turn === 'running' ? () => void engine.stop({ conversationId }).catch(sayFailure) : undefined}
      />
    </div>
  )
}

/** A GPT before the first word: its face, what it is for, and ways to begin. */
export function NewChatScreen({ gptId }: { gptId: string }) {
  const engine = useEngine()
  const [, go] = useLocation()
  const found = useLive(
    async (db) => {
      const gpt = await gptById(db, gptId)
      return { gpt, connection: gpt && (await modelById(db, gpt.model.connectionId)) }
    },
    [gptId],
  )
  const obstacle = useObstacle(found?.connection, { turn: undefined, isAsked: false })
  useTitle(found?.gpt?.name)
  if (!found) return null
  const { gpt, connection } = found
  if (!gpt) return <Gone what="GPT" />
  const start = async (text: string, attachments: Attachment[] = []) => {
    preload()
    const { conversationId } = await engine.startConversation({ gptId, text, attachments })
    go(`/chat/${conversationId}`)
  }
  return (
    <div className={styles.screen}>
      <ChatHeader gpt={gpt} connection={connection} />
      <div className={styles.welcome}>
        <GptIcon icon={gpt.icon} name={gpt.name} />
        <h2>{gpt.name}</h2>
        {gpt.description && <p className={styles.description}>{gpt.description}</p>}
        {gpt.starters.length > 0 && (
          <ul className={styles.starters}>
            {gpt.starters.map((starter) => (
              <li key={starter}>
                <Button disabled={obstacle !== undefined} onClick={() => void start(starter).catch(sayFailure)}>
                  {starter}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {connection?.kind === 'practice' && (
          <p className={styles.practice}>
            You are talking to the practice model: it works offline and costs nothing.{' '}
            <Link href="/settings/models">Connect a real model ▸</Link>
          </p>
        )}
      </div>
      <ChangedTools serverIds={gpt.tools.serverIds} />
      <Composer draftId={`new:${gptId}`} serverIds={gpt.tools.serverIds} obstacle={obstacle} onSend={start} />
    </div>
  )
}

function useObstacle(
  connection: ModelConnection | undefined,
  asked: { turn: 'running' | 'elsewhere' | undefined; isAsked: boolean; hasQuestion?: boolean },
): Obstacle | undefined {
  const phase = useEngineState((state) => state.phase)
  const vault = useEngineState((state) => state.vault.state)
  return whyNotSend({ phase, vault, turn: asked.turn }, { connection, ...asked })
}

function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · Switchboard`
  }, [title])
}

const Gone = ({ what }: { what: string }) => (
  <EmptyState icon="chat" title={`This ${what} is not here`} action={<Link href="/">Begin a new chat</Link>}>
    <p>It was deleted, or the address is not right.</p>
  </EmptyState>
)
