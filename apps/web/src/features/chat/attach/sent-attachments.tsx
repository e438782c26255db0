import { useState } from 'react'
import type { Attachment } from '#domain/message.ts'
import type { ResourcePart } from '#domain/resource.ts'
import { visibleText } from '#lib/visible-text.ts'
import { ResourceParts } from '#ui/offers/resource-parts.tsx'
import { AttachmentFace, isPrompt } from './attachment-chips.tsx'
import styles from './attachment-chips.module.css'

/** What went with a message: folded, and drawn when somebody looks. */
export const SentAttachments = ({ attachments }: { attachments: readonly Attachment[] }) => (
  <div className={styles.sent}>
    {attachments.map((attachment, index) => (
      <SentAttachment key={index} attachment={attachment} />
    ))}
  </div>
)

function SentAttachment({ attachment }: { attachment: Attachment }) {
  const [isOpen, setOpen] = useState(false)
  const { uri, serverName } = attachment
  const part = partOf(attachment)
  return (
    <details className={styles.sentOne} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <AttachmentFace attachment={attachment} />
      </summary>
      {isOpen && (
        // What scrolls must be reachable by keyboard.
        <div className={styles.contents} tabIndex={0} role="group" aria-label={visibleText(attachment.name)}>
          {isPrompt(attachment) && <p>The words below began as a prompt of {visibleText(serverName)}.</p>}
          {uri && <p>{visibleText(uri)}</p>}
          {part && <ResourceParts parts={[part]} />}
        </div>
      )}
    </details>
  )
}

function partOf({ text, data, uri, name, mimeType, size }: Attachment): ResourcePart | undefined {
  const about = { uri: uri || name, mimeType, size }
  if (text !== undefined) return { kind: 'text', ...about, text, isCut: false }
  return data === undefined ? undefined : { kind: 'bytes', ...about, base64: data }
}
