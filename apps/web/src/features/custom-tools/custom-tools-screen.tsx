import { Link } from 'wouter'
import { customTools, server as serverById } from '#storage/live.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { useLive } from '#wiring/use-live.ts'
import { CollectionScreen } from './collection-screen.tsx'
import { ImportScreen } from './import-screen.tsx'
import { NewCollection } from './new-collection.tsx'
import { ToolEditor } from './tool-editor.tsx'

/** Everything about custom tools: a new collection, one that is there, or one tool of it. */
export function CustomToolsScreen({ serverId, place }: { serverId?: string; place?: string | undefined }) {
  if (!serverId) return place === 'import' ? <ImportScreen /> : <NewCollection />
  return <StoredCollection serverId={serverId} place={place} />
}

function StoredCollection({ serverId, place }: { serverId: string; place: string | undefined }) {
  const stored = useLive(
    async (db) => ({ server: await serverById(db, serverId), tools: await customTools(db, serverId) }),
    // With the place: what was just saved elsewhere in the collection may not be known here yet, and is read anew.
    [serverId, place],
  )
  if (!stored) return null
  const { server, tools } = stored
  if (server?.transport !== 'custom')
    return (
      <EmptyState icon="question" title="This collection is gone" action={<Link href="/servers">All servers</Link>}>
        It was removed here or in another tab.
      </EmptyState>
    )
  if (place === undefined) return <CollectionScreen server={server} tools={tools} />
  if (place === 'import') return <ImportScreen server={server} tools={tools} />
  const tool = tools.find(({ id }) => id === place)
  if (!tool && place !== 'new')
    return (
      <EmptyState
        icon="question"
        title="This tool is gone"
        action={<Link href={`/servers/${serverId}/custom`}>All tools of {server.name}</Link>}
      >
        It was deleted here or in another tab.
      </EmptyState>
    )
  return <ToolEditor key={place} server={server} tool={tool} neighbours={tools} />
}
