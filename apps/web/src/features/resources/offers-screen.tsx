import { Link } from 'wouter'
import { server as serverById } from '#storage/live.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { useLive } from '#wiring/use-live.ts'
import styles from './offers-screen.module.css'
import { PromptsTab } from './prompts-tab.tsx'
import { ResourcesTab } from './resources-tab.tsx'

/** What a server offers beside tools: things to read, and prompts to begin with. */
export function OffersScreen({ serverId, tab }: { serverId: string; tab: 'resources' | 'prompts' }) {
  const stored = useLive(async (db) => ({ server: await serverById(db, serverId) }), [serverId])
  if (!stored) return null
  const { server } = stored
  if (!server) {
    return (
      <EmptyState icon="question" title="This server is gone" action={<Link href="/servers">All servers</Link>}>
        It was removed here or in another tab.
      </EmptyState>
    )
  }
  const place = `/servers/${encodeURIComponent(serverId)}`
  return (
    <Page title={server.name} actions={<Link href={place}>Settings of this server</Link>}>
      <nav className={styles.tabs} aria-label="What it offers">
        {(['resources', 'prompts'] as const).map((one) => (
          <Link
            key={one}
            href={`${place}/${one}`}
            className={one === tab ? styles.here : styles.tab}
            aria-current={one === tab ? 'page' : undefined}
          >
            {one === 'resources' ? 'Resources' : 'Prompts'}
          </Link>
        ))}
      </nav>
      {tab === 'resources' ? (
        <ResourcesTab key={serverId} server={server} />
      ) : (
        <PromptsTab key={serverId} server={server} />
      )}
    </Page>
  )
}
