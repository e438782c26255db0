import { Link, useLocation } from 'wouter'
import type { Server } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'
import { servers as allServers } from '#storage/live.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Line, Lines } from '#ui/lines.tsx'
import { LinkButton } from '#ui/link-button.tsx'
import { Menu } from '#ui/menu.tsx'
import { Page } from '#ui/page.tsx'
import { ServerDot } from '#ui/server-dot.tsx'
import { explain } from '#wiring/explain.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { CompanionSection } from './companion-section.tsx'
import { placeOf } from './place-of.ts'
import { useRemoveServer } from './use-remove-server.ts'
import styles from './servers.module.css'

export function ServersScreen() {
  const servers = useLive((db) => allServers(db), [])
  return (
    <Page
      title="Servers"
      actions={
        <LinkButton look="primary" icon="plus" href="/servers/new">
          Add a server
        </LinkButton>
      }
    >
      {servers?.length === 0 && (
        <EmptyState icon="server" title="No servers">
          An MCP server brings tools: for your files, your calendar, a database, the web. Add one by its address, tick
          it in a GPT, and the GPT can use what it offers.
        </EmptyState>
      )}
      {servers && servers.length > 0 && (
        <Lines>
          {servers.map((server) => (
            <ServerLine key={server.id} server={server} />
          ))}
        </Lines>
      )}
      <CompanionSection servers={servers ?? []} />
    </Page>
  )
}

const STATES = {
  disconnected: 'not connected',
  connecting: 'connecting…',
  connected: 'connected',
  error: 'failed',
} as const

function ServerLine({ server }: { server: Server }) {
  const engine = useEngine()
  const [, go] = useLocation()
  const remove = useRemoveServer()
  const state = useEngineState((all) => all.servers[server.id])
  const failure =
    state?.state === 'error' && server.enabled ? explain(state.failure, { serverId: server.id }) : undefined
  const revision = state?.state === 'connected' ? state.protocolVersion : server.found?.protocolVersion
  return (
    <Line>
      <div className={styles.words}>
        <h2 className={styles.name}>
          <ServerDot state={state} isEnabled={server.enabled} />
          <Link href={`/servers/${server.id}`}>{server.name}</Link>{' '}
          {server.builtIn && <Badge tone="accent">built in</Badge>}
        </h2>
        <p className={styles.soft}>
          {[
            placeOf(server),
            server.enabled ? STATES[state?.state ?? 'disconnected'] : 'switched off',
            server.found && plural(server.found.tools.length, 'tool'),
            revision,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {failure && (
          <p className={styles.failure}>
            {failure.text}{' '}
            <button
              type="button"
              className={styles.again}
              // What comes of it is the state that this line shows.
              onClick={() => void engine.connectServer({ serverId: server.id }).catch(() => {})}
            >
              Try again
            </button>
          </p>
        )}
      </div>
      <Menu
        label={`What to do with ${server.name}`}
        items={[
          { label: 'Open', icon: 'edit', onSelect: () => go(`/servers/${server.id}`) },
          {
            label: server.enabled ? 'Switch off' : 'Switch on',
            icon: server.enabled ? 'cancel' : 'play',
            onSelect: () => void engine.enableServer({ serverId: server.id, enabled: !server.enabled }),
          },
          {
            label: 'Connect now',
            icon: 'refresh',
            disabled: !server.enabled,
            onSelect: () => void engine.connectServer({ serverId: server.id }).catch(() => {}),
          },
          { label: 'Remove', icon: 'trash', danger: true, onSelect: () => void remove(server) },
        ]}
      />
    </Line>
  )
}
