import { Link } from 'wouter'
import { PROMPT_TYPE } from '#domain/attachment-limits.ts'
import type { Attachment } from '#domain/message.ts'
import { fileSize } from '#lib/file-size.ts'
import { readRaster } from '#lib/read-raster.ts'
import { visibleText } from '#lib/visible-text.ts'
import { gpt as gptById, model as modelById } from '#storage/live.ts'
import { IconButton } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { useLive } from '#wiring/use-live.ts'
import { unreadAttachments } from './unread-attachments.ts'
import styles from './attachment-chips.module.css'

export const isPrompt = ({ mimeType }: Attachment): boolean => mimeType === PROMPT_TYPE

/** Where an attachment is from, and how large it is. */
export const originOf = (attachment: Attachment): string =>
  isPrompt(attachment)
    ? `prompt of ${attachment.serverName}`
    : `${attachment.serverName || 'your file'} · ${fileSize(attachment.size)}`

export function AttachmentFace({ attachment }: { attachment: Attachment }) {
  const raster = attachment.data === undefined ? undefined : readRaster(attachment.data)
  return (
    <>
      {raster && !('problem' in raster) ? (
        <img src={raster.address} alt="" width={28} height={28} className={styles.thumb} />
      ) : (
        <Icon name={isPrompt(attachment) ? 'sparkle' : 'archive'} size={16} />
      )}
      <span className={styles.words}>
        <span className={styles.name}>{visibleText(attachment.name)}</span>
        <span className={styles.origin}>{visibleText(originOf(attachment))}</span>
      </span>
    </>
  )
}

/** What will go with a message, each with a way to leave it out, and what of it the model won't get. */
export const AttachmentChips = ({
  attachments,
  gptId,
  onRemove,
}: {
  attachments: readonly Attachment[]
  gptId: string
  onRemove: (index: number) => void
}) => (
  <>
    <ul className={styles.chips} aria-label="Attached">
      {attachments.map((attachment, index) => (
        <li key={index} className={styles.chip}>
          <AttachmentFace attachment={attachment} />
          <IconButton
            small
            label={`Remove ${visibleText(attachment.name)}`}
            icon="close"
            onClick={() => onRemove(index)}
          />
        </li>
      ))}
    </ul>
    <Unread attachments={attachments} gptId={gptId} />
  </>
)

function Unread({ attachments, gptId }: { attachments: readonly Attachment[]; gptId: string }) {
  const found = useLive(
    async (db) => {
      const gpt = await gptById(db, gptId)
      return { gpt, connection: gpt && (await modelById(db, gpt.model.connectionId)) }
    },
    [gptId],
  )
  const { gpt, connection } = found ?? {}
  const unread = gpt && connection ? unreadAttachments(attachments, gpt.model, connection) : []
  return (
    // There before its text, so that screen readers announce what is added to it.
    <div role="status">
      {unread.map((text) => (
        <p key={text} className={styles.notice}>
          {text} <Link href={`/gpts/${gptId}`}>Model settings</Link>
        </p>
      ))}
    </div>
  )
}
