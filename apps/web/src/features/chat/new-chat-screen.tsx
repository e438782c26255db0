import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Attachment } from '#domain/message.ts'
import { gpt as gptById, model as modelById, servers as allServers } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { GptIcon } from '#ui/gpt-icon.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { leaveBehind } from '#wiring/use-left-behind.ts'
import { useLive } from '#wiring/use-live.ts'
import { handOver } from './attach/use-attachments.ts'
import { ChangedTools } from './changed-tools.tsx'
import { ChatHeader } from './chat-header.tsx'
import { preloadChat } from './chat-screen.tsx'
import styles from './chat-screen.module.css'
import { Composer, type Draft } from './composer.tsx'
import { COMPOSER_ID } from './composer-id.ts'
import { Gone } from './gone.tsx'
import { holdKeys } from './held-keys.ts'
import { sayFailure } from './say-failure.ts'
import { useObstacle } from './use-obstacle.ts'
import { useTitle } from './use-title.ts'

/** A GPT before the first word: its face, what it is for, and ways to begin. */
export function NewChatScreen({ gptId }: { gptId: string }) {
  const engine = useEngine()
  const goUnlessLeft = useGoUnlessLeft()
  const [isBeginning, setBeginning] = useState(false)
  const takeRest = useRef<() => Draft>(undefined)
  const found = useLive(
    async (db) => {
      const gpt = await gptById(db, gptId)
      const hasServers = (await allServers(db)).length > 0
      return { gpt, connection: gpt && (await modelById(db, gpt.model.connectionId)), hasServers }
    },
    [gptId],
  )
  const obstacle = useObstacle(found?.connection, { turn: undefined, isAsked: false })
  useTitle(found?.gpt?.name)
  if (!found) return null
  const { gpt, connection } = found
  if (!gpt) return <Gone what="GPT" />
  const start = async (text: string, attachments: Attachment[], takesDraft = false) => {
    preloadChat()
    setBeginning(true)
    try {
      const { conversationId: id } = await engine.startConversation({ gptId, text, attachments, takesDraft })
      // What was written since stays the draft of a new chat: its user may be in another by now.
      if (!goUnlessLeft(`/chat/${id}`)) return
      const isTyping = document.activeElement?.id === COMPOSER_ID
      // It goes along, and is there before the field of the chat, in which one may type at once.
      const rest = takeRest.current?.()
      const saveDraft = (draft: string) => {
        leaveBehind(id, draft)
        engine.saveDraft({ id, text: draft }).catch(sayFailure)
      }
      if (isTyping) holdKeys(id, (keys) => saveDraft((rest?.text ?? '') + keys))
      if (rest?.text) saveDraft(rest.text)
      if (rest?.attachments.length) {
        handOver(id, rest.attachments)
        engine.saveAttachments({ id, attachments: [...rest.attachments] }).catch(sayFailure)
      }
    } finally {
      setBeginning(false)
    }
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
                <Button
                  disabled={isBeginning || obstacle !== undefined}
                  onClick={() => void start(starter, [], true).catch(sayFailure)}
                >
                  {starter}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {!found.hasServers && (
          <p className={styles.practice}>
            No tools are connected yet. <Link href="/servers/new">Add a server ▸</Link> The demo tools come with the
            companion, which is started with <code>npm start</code>.
          </p>
        )}
        {connection?.kind === 'practice' && (
          <p className={styles.practice}>
            You are talking to the practice model: it works offline and costs nothing.{' '}
            <Link href="/settings/models">Connect a real model ▸</Link>
          </p>
        )}
      </div>
      <ChangedTools serverIds={gpt.tools.serverIds} />
      <Composer
        draftId={`new:${gptId}`}
        serverIds={gpt.tools.serverIds}
        gptId={gptId}
        obstacle={obstacle}
        isBeginning={isBeginning}
        takeRest={takeRest}
        onSend={(text, attachments) => start(text, attachments)}
      />
    </div>
  )
}
