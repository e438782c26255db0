import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Conversation } from '#domain/conversation.ts'
import type { Gpt } from '#domain/gpt.ts'
import type { ModelConnection } from '#domain/model-connection.ts'
import { servers as listServers } from '#storage/live.ts'
import { GptIcon } from '#ui/gpt-icon.tsx'
import { Menu } from '#ui/menu.tsx'
import { showToast } from '#ui/toast.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import styles from './chat-screen.module.css'
import { download } from '#ui/download.ts'
import { sayFailure } from './say-failure.ts'
import { toolsInWords } from './tools-in-words.ts'

const RenameDialog = lazy(() => import('./rename-dialog.tsx').then((m) => ({ default: m.RenameDialog })))

/** Whom one talks to: the GPT, its model, its tools. */
export function ChatHeader({
  gpt,
  connection,
  children,
}: {
  gpt: Gpt
  connection: ModelConnection | undefined
  children?: ReactNode
}) {
  const servers = useLive(listServers, [])
  const model = connection?.kind === 'practice' ? 'Practice model' : gpt.model.modelId
  return (
    <header className={styles.header}>
      <Link href={`/gpts/${gpt.id}`} className={styles.who} title={`Edit ${gpt.name}`}>
        <GptIcon icon={gpt.icon} name={gpt.name} small />
        <h1>{gpt.name}</h1>
      </Link>
      <p className={styles.with}>
        <span title={connection?.name}>{model || 'no model'}</span>
        {servers && <span>{toolsInWords(gpt, servers)}</span>}
      </p>
      {children}
    </header>
  )
}

/** What one can do with a conversation as a whole. */
export function ConversationMenu({ conversation }: { conversation: Conversation }) {
  const engine = useEngine()
  const [, go] = useLocation()
  const [isRenaming, setRenaming] = useState(false)
  const conversationId = conversation.id
  const save = (format: 'markdown' | 'json') =>
    void engine
      .exportConversation({ conversationId, format })
      .then(({ name, text }) => download(name, text))
      .catch(sayFailure)
  const remove = () => {
    void engine
      .deleteConversation({ conversationId })
      .then(() => {
        go('/')
        const undo = () => {
          void engine.restoreConversation({ conversationId }).then(() => go(`/chat/${conversationId}`), sayFailure)
        }
        showToast(`“${conversation.title}” was deleted`, { label: 'Undo', run: undo })
      })
      .catch(sayFailure)
  }
  return (
    <>
      <Menu
        label="This chat"
        items={[
          { label: 'Rename', icon: 'edit', onSelect: () => setRenaming(true) },
          { label: 'Export as Markdown', icon: 'download', onSelect: () => save('markdown') },
          { label: 'Export as JSON', icon: 'download', onSelect: () => save('json') },
          { label: 'Delete', icon: 'trash', danger: true, onSelect: remove },
        ]}
      />
      {isRenaming && (
        <Suspense>
          <RenameDialog conversation={conversation} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </>
  )
}
