import { useState } from 'react'
import type { Conversation } from '#domain/conversation.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './chat-screen.module.css'

/** Asks for another title of a conversation. */
export const RenameDialog = ({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) => (
  <Dialog title="Rename this chat" open onClose={onClose}>
    <RenameForm conversation={conversation} onClose={onClose} />
  </Dialog>
)

function RenameForm({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const engine = useEngine()
  const { isBusy, failure, run } = useDeed()
  const [title, setTitle] = useState(conversation.title)
  const rename = () =>
    run(async (isWanted) => {
      await engine.renameConversation({ conversationId: conversation.id, title })
      if (isWanted()) onClose()
    })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void rename()
      }}
    >
      <TextField
        label="Title"
        value={title}
        maxLength={200}
        required
        autoFocus
        error={failure && explain(failure).text}
        onChange={(event) => setTitle(event.target.value)}
      />
      <Button type="submit" look="primary" busy={isBusy} disabled={title.trim() === ''}>
        Rename
      </Button>
    </form>
  )
}
