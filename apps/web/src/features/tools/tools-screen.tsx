import { useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { placeOfTool, toolNameAt } from '#lib/place-of-tool.ts'
import { servers as listServers, unseenTools } from '#storage/live.ts'
import { classNames } from '#ui/class-names.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { SelectField } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { LinkButton } from '#ui/link-button.tsx'
import { useLive } from '#wiring/use-live.ts'
import { toolEntries } from './tool-entry.ts'
import { ToolList } from './tool-list.tsx'
import { ToolView } from './tool-view.tsx'
import styles from './tools-screen.module.css'

/** All tools of all servers beside the one that is looked at, named as the address has it. On a phone, one or the other. */
export function ToolsScreen({ serverId, toolName }: { serverId?: string | undefined; toolName?: string | undefined }) {
  const [, go] = useLocation()
  const servers = useLive(listServers, [])
  const unseen = useLive((db) => unseenTools(db), [])
  const [scope, setScope] = useState(toolName === undefined ? (serverId ?? '') : '')
  const entries = useMemo(() => toolEntries(servers ?? [], unseen), [servers, unseen])
  // One that is gone by now must not hide the tools of the others.
  const within = servers?.some(({ id }) => id === scope) ? scope : ''
  const listed = useMemo(
    () => (within ? entries.filter((entry) => entry.serverId === within) : entries),
    [entries, within],
  )
  if (!servers) return null
  const chosen =
    serverId !== undefined && toolName !== undefined ? { serverId, toolName: toolNameAt(toolName) } : undefined
  return (
    <div className={classNames(styles.screen, chosen && styles.hasChosen)}>
      <div className={styles.side}>
        <header className={styles.head}>
          <h1>Tools</h1>
          {servers.length > 1 && (
            <SelectField label="Server" value={within} onChange={(event) => setScope(event.target.value)}>
              <option value="">All servers</option>
              {servers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
        </header>
        {entries.length === 0 ? (
          <NoTools hasServers={servers.length > 0} />
        ) : (
          <ToolList
            entries={listed}
            chosen={chosen}
            onFirst={(entry) => go(placeOfTool(entry.serverId, entry.tool.name))}
          />
        )}
      </div>
      <div className={styles.main}>
        {chosen ? (
          <>
            {/* On a phone the list, and with it the heading of the screen, is not shown. */}
            <h1 className={classNames('visually-hidden', styles.alone)}>Tools</h1>
            <Link href="/tools" className={styles.back}>
              <Icon name="left" size={16} /> All tools
            </Link>
            <ToolView
              key={placeOfTool(chosen.serverId, chosen.toolName)}
              server={servers.find(({ id }) => id === chosen.serverId)}
              toolName={chosen.toolName}
            />
          </>
        ) : (
          entries.length > 0 && (
            <EmptyState icon="tool" title="Choose a tool">
              <p>
                See what it takes and what it gives, fill in its form, run it, and look at every byte of the answer.
              </p>
            </EmptyState>
          )
        )}
      </div>
    </div>
  )
}

const NoTools = ({ hasServers }: { hasServers: boolean }) => (
  <EmptyState
    icon="tool"
    title="No tools yet"
    action={
      hasServers ? (
        <LinkButton href="/servers">Look at your servers</LinkButton>
      ) : (
        <LinkButton href="/servers/new" look="primary" icon="plus">
          Add a server
        </LinkButton>
      )
    }
  >
    <p>
      {hasServers
        ? 'None of your servers has shown any. Tools are listed once a server was connected.'
        : 'Tools come from MCP servers. Add one, and try its tools here by hand.'}
    </p>
  </EmptyState>
)
