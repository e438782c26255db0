import { lazy, Suspense, useEffect } from 'react'
import type { Conversation } from '#domain/conversation.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import {
  conversation as conversationById,
  gpt as gptById,
  model as modelById,
  openQuestions,
  pendingApprovals,
} from '#storage/live.ts'
import { preloadMarkdown } from '#ui/markdown/markdown.tsx'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { ChangedTools } from './changed-tools.tsx'
import { ChatHeader } from './chat-header.tsx'
import styles from './chat-screen.module.css'
import { Composer } from './composer.tsx'
import { Gone } from './gone.tsx'
import { sayFailure } from './say-failure.ts'
import { useObstacle } from './use-obstacle.ts'
import { useTitle } from './use-title.ts'

const load = () => import('./chat-parts.ts')
const MessageList = lazy(async () => ({ default: (await load()).MessageList }))
const ConversationMenu = lazy(async () => ({ default: (await load()).ConversationMenu }))

/** Loads what a conversation is drawn with, and a new chat is not. */
export function preloadChat(): void {
  // Where it fails, who needs it says so.
  load().catch(() => {})
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
  useEffect(preloadChat, [])
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
        <Suspense>
          <ConversationMenu conversation={conversation} />
        </Suspense>
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
        gptId={gpt.id}
        obstacle={obstacle}
        turning={turn === undefined ? undefined : conversation.branchId}
        onSend={(text, attachments, after) =>
          engine.sendMessage({ conversationId, text, attachments, ...(after !== undefined && { after }) })
        }
        onStop={turn === 'running' ? () => engine.stop({ conversationId }).catch(sayFailure) : undefined}
      />
    </div>
  )
}
