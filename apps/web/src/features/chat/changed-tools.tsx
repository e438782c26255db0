import { Link } from 'wouter'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { changedTools, server as serverById } from '#storage/live.ts'
import { Notice } from '#ui/notice.tsx'
import { useLive } from '#wiring/use-live.ts'

/** Says which tools of this GPT are not used because they changed: otherwise nobody would know why the model goes without. */
export function ChangedTools({ serverIds }: { serverIds: readonly string[] }) {
  const found = useLive(
    async (db) => {
      const changed = await changedTools(db, serverIds)
      const [first] = changed
      return { changed, server: first && (await serverById(db, first.serverId)) }
    },
    // The list is another one whenever the GPT is read.
    [serverIds.join()],
  )
  if (!found?.server) return null
  const { changed, server } = found
  return (
    <Notice tone="warn" actions={<Link href={`/servers/${server.id}/changes`}>See what is different</Link>}>
      {plural(changed.filter(({ serverId }) => serverId === server.id).length, 'tool')} of {visibleText(server.name)}{' '}
      changed since you last looked, and will not be used until you have.
    </Notice>
  )
}
