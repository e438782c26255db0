import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { Conversation } from '#domain/conversation.ts'
import { download } from '#ui/download.ts'
import { Menu } from '#ui/menu.tsx'
import { showToast } from '#ui/toast.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { sayFailure } from './say-failure.ts'

const RenameDialog = lazy(() => import('./rename-dialog.tsx').then((m) => ({ default: m.RenameDialog })))

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
    // First: what is deleted is not there to be shown, and who goes elsewhere meanwhile is not fetched back.
    go('/')
    void engine
      .deleteConversation({ conversationId })
      .then(() => {
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
