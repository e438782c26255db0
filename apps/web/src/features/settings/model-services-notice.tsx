import { visibleText } from '#lib/visible-text.ts'
import { Notice } from '#ui/notice.tsx'
import type { BackupSummary } from '#wiring/commands.ts'

/** The file decides where chats are sent, so the person sees it before anything is restored. */
export function ModelServicesNotice({ models }: { models: BackupSummary['models'] }) {
  if (models.length === 0) return null
  return (
    <Notice title="Chats will be sent to these model services">
      <ul>
        {models.map(({ id, name, host }) => (
          <li key={id}>
            {visibleText(name)}: <strong>{visibleText(host)}</strong>
          </li>
        ))}
      </ul>
      They come with this file. Don’t restore it if you don’t know one of them.
    </Notice>
  )
}
