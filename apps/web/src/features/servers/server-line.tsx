import { Link, useLocation } from 'wouter'
import { isWaitingForVault } from '#domain/is-waiting-for-vault.ts'
import type { ConnectionState, Server } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { unseenTools } from '#storage/live.ts'
import { Badge } from '#ui/badge.tsx'
import { Explained } from '#ui/explained.tsx'
import { Line } from '#ui/lines.tsx'
import { Menu } from '#ui/menu.tsx'
import { ServerDot } from '#ui/server-dot.tsx'
import { ServerPicture } from '#ui/server-picture.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { type Change, Doctor } from './diagnosis.tsx'
import { placeOf } from './place-of.ts'
import { placesOf } from './places-of.ts'
import { inputOf, requestOf } from './server-draft.ts'
import styles from './servers.module.css'
import { SignIn } from './sign-in.tsx'
import { useDuplicateServer } from './use-duplicate-server.ts'
import { useRemoveServer } from './use-remove-server.ts'

const STATES = {
  disconnected: 'not connected',
  connecting: 'connecting…',
  connected: 'connected',
  error: 'failed',
} as const

/** A server in the list: how it stands, and what can be done with it. */
export function ServerLine({ server, onExport }: { server: Server; onExport: () => void }) {
  const engine = useEngine()
  const [, go] = useLocation()
  const remove = useRemoveServer()
  const duplicate = useDuplicateServer()
  const state = useEngineState((all) => all.servers[server.id])
  // Of custom tools the tools are what one comes for; their settings are a step behind.
  const page = `/servers/${server.id}${server.transport === 'custom' ? '/custom' : ''}`
  const failed = state?.state === 'error' && server.enabled ? state : undefined
  const signIn = failed?.signIn
  const isWaiting = isWaitingForVault(failed)
  // What comes of it is the state that this line shows.
  const connect = () => void engine.connectServer({ serverId: server.id }).catch(() => {})
  /** One that needs something entered is mended on its own page. */
  const mending = useDeed()
  const mend = (change: Change) => {
    const request = requestOf({ ...inputOf(server), ...change })
    if (change.authentication) go(`/servers/${server.id}`)
    else void mending.run(() => engine.saveServer({ serverId: server.id, ...request }))
  }
  return (
    <Line>
      <div className={styles.words}>
        <h2 className={styles.name}>
          <ServerDot state={state} isEnabled={server.enabled} />
          <ServerPicture src={server.found?.icon} fallback="server" size={20} />
          <Link href={page}>{server.name}</Link> {server.builtIn && <Badge tone="accent">built in</Badge>}
          <Unseen serverId={server.id} />
        </h2>
        <p className={styles.soft}>
          {[
            placeOf(server),
            wordOf(state, server.enabled),
            server.found && plural(server.found.tools.length, 'tool'),
            server.transport !== 'custom' &&
              (state?.state === 'connected' ? state.protocolVersion : server.found?.protocolVersion),
          ]
            .filter(Boolean)
            .join(' · ')}
          {state?.state === 'connected' && state.sessionId && <Session id={state.sessionId} />}
        </p>
        {server.description && <p className={styles.soft}>{server.description}</p>}
        {mending.failure && <Explained {...explain(mending.failure, { serverId: server.id })} />}
        {signIn && <SignIn serverName={server.name} offer={signIn} />}
        {failed && isWaiting && (
          <p className={styles.soft}>
            Its key is in the locked vault. <Link href="/settings/vault">Unlock the vault</Link> to connect.
          </p>
        )}
        {failed && !signIn && !isWaiting && (
          <>
            <Failure text={explain(failed.failure, { serverId: server.id }).text} retry={connect} />
            <Doctor
              subject={{ serverId: server.id }}
              failure={failed.failure}
              apply={mend}
              connect={mend}
              retry={connect}
            />
          </>
        )}
      </div>
      <Menu
        label={`What to do with ${server.name}`}
        items={[
          { label: 'Open', icon: 'edit', onSelect: () => go(page) },
          ...placesOf(server, server.found).map(({ label, icon, to }) => ({ label, icon, onSelect: () => go(to) })),
          {
            label: server.enabled ? 'Switch off' : 'Switch on',
            icon: server.enabled ? 'cancel' : 'play',
            onSelect: () => void engine.enableServer({ serverId: server.id, enabled: !server.enabled }),
          },
          { label: 'Connect now', icon: 'refresh', disabled: !server.enabled, onSelect: connect },
          {
            label: 'Duplicate',
            hint: 'Without its keys, permissions and trust',
            icon: 'duplicate',
            disabled: server.transport === 'custom',
            onSelect: () => void duplicate(server),
          },
          { label: 'Export…', icon: 'download', onSelect: onExport },
          { label: 'Remove', icon: 'trash', danger: true, onSelect: () => void remove(server) },
        ]}
      />
    </Line>
  )
}

/** How many of its tools the user has not seen as they are, on the way to see them. */
function Unseen({ serverId }: { serverId: string }) {
  const unseen = useLive((db) => unseenTools(db, [serverId]), [serverId]) ?? []
  const count = (state: 'new' | 'changed') => unseen.filter((entry) => entry.state === state).length
  const [changed, fresh] = [count('changed'), count('new')]
  if (changed + fresh === 0) return null
  return (
    <Link href={`/servers/${serverId}/changes`} className={styles.unseen}>
      {changed > 0 && <Badge tone="warn">{plural(changed, 'changed tool')}</Badge>}
      {fresh > 0 && <Badge tone="accent">{plural(fresh, 'new tool')}</Badge>}
    </Link>
  )
}

function wordOf(state: ConnectionState | undefined, isEnabled: boolean): string {
  if (!isEnabled) return 'switched off'
  if (isWaitingForVault(state)) return 'vault locked'
  return state?.state === 'error' && state.signIn ? 'sign-in needed' : STATES[state?.state ?? 'disconnected']
}

/** Enough of it to see that it is another one; the rest on hover. */
const Session = ({ id }: { id: string }) => (
  <>
    {' · '}
    <span title={`Session ${visibleText(id)}`}>
      session <code>{visibleText(id.length > 12 ? `${id.slice(0, 8)}…` : id)}</code>
    </span>
  </>
)

const Failure = ({ text, retry }: { text: string; retry: () => void }) => (
  <p className={styles.failure}>
    {text}{' '}
    <button type="button" className={styles.again} onClick={retry}>
      Try again
    </button>
  </p>
)
