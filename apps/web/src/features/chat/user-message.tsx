import { type KeyboardEvent, memo, useState } from 'react'
import type { Conversation } from '#domain/conversation.ts'
import type { Message } from '#domain/message.ts'
import { fileSize } from '#lib/file-size.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { AttachmentChips } from './attach/attachment-chips.tsx'
import { SentAttachments } from './attach/sent-attachments.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { TaskMessage } from './task-message.tsx'
import styles from './turn.module.css'
import { wordsOf } from './turns.ts'
import { Versions } from './versions.tsx'

const FOLD_AT = 4_000

/** Words of the user. Editing them begins a new version; the old one stays. */
export const UserMessage = memo(
  ({ message, conversation, canEdit }: { message: Message; conversation: Conversation; canEdit: boolean }) => {
    const [isEditing, setEditing] = useState(false)
    const [isWhole, setWhole] = useState(false)
    const text = wordsOf([message])
    const [task] = message.parts.filter((part) => part.type === 'task')
    const attachments = message.parts.filter((part) => part.type === 'attachment')
    const isFolded = !isWhole && text.length > FOLD_AT
    if (task) return <TaskMessage toolCallId={task.toolCallId} />
    if (isEditing)
      return <Editor message={message} gptId={conversation.gptId} text={text} onClose={() => setEditing(false)} />
    return (
      <article className={styles.user} aria-label="You">
        {attachments.length > 0 && <SentAttachments attachments={attachments} />}
        {text !== '' && (
          <div className={styles.bubble}>
            {visibleText(isFolded ? text.slice(0, FOLD_AT) : text)}
            {isFolded && (
              <Button small onClick={() => setWhole(true)}>
                Show all {fileSize(text.length)}
              </Button>
            )}
          </div>
        )}
        <div className={styles.actions}>
          <Versions conversation={conversation} order={message.order} />
          <CopyButton text={text} />
          {canEdit && <IconButton small label="Edit" icon="edit" onClick={() => setEditing(true)} />}
        </div>
      </article>
    )
  },
)

function Editor({
  message,
  gptId,
  text,
  onClose,
}: {
  message: Message
  gptId: string
  text: string
  onClose: () => void
}) {
  const engine = useEngine()
  const { isBusy, failure, run } = useDeed()
  const [draft, setDraft] = useState(text)
  const [attachments, setAttachments] = useState(() => message.parts.filter((part) => part.type === 'attachment'))
  const isEmpty = draft.trim() === '' && attachments.length === 0
  const { conversationId, id: messageId } = message
  const send = async () => {
    if (isEmpty || isBusy) return
    const sent = await run(async () => {
      await engine.editMessage({ conversationId, messageId, text: draft, attachments })
      return true
    })
    if (sent) onClose()
  }
  const hear = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <div className={styles.editor}>
      {attachments.length > 0 && (
        <AttachmentChips
          attachments={attachments}
          gptId={gptId}
          onRemove={(index) => setAttachments(attachments.filter((_, at) => at !== index))}
        />
      )}
      <textarea
        aria-label="Edit your message"
        className={styles.editorText}
        value={draft}
        autoFocus
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={hear}
      />
      {failure && <FailureNotice failure={failure} />}
      <div className={styles.editorButtons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={isBusy} disabled={isEmpty} onClick={() => void send()}>
          Send
        </Button>
      </div>
    </div>
  )
}
