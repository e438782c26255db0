import { lazy, type ReactNode, Suspense } from 'react'
import { Link, useRoute } from 'wouter'
import { groupByDay } from '#lib/group-by-day.ts'
import { plural } from '#lib/plural.ts'
import type { Conversation } from '#domain/conversation.ts'
import { isWaitingForVault } from '#domain/is-waiting-for-vault.ts'
import {
  listConversations,
  listGpts,
  openQuestions,
  pendingApprovals,
  servers as listServers,
  unseenTools,
} from '#storage/live.ts'
import { StatusDot } from '#ui/badge.tsx'
import { IconButton } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { GptIcon } from '#ui/gpt-icon.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import styles from './sidebar.module.css'
import { useRunningTasks } from './use-running-tasks.ts'

const TaskTray = lazy(() => import('./task-tray.tsx').then((m) => ({ default: m.TaskTray })))

const SHOWN_CHATS = 100
const SHOWN_GPTS = 6

export function Sidebar({ onSearch, onClose }: { onSearch: () => void; onClose?: () => void }) {
  const all = useLive((db) => listGpts(db), [])
  const gpts = all?.filter(({ archivedAt }) => archivedAt === undefined)
  const waiting = useLive((db) => pendingApprovals(db), [])
  const questions = useLive((db) => openQuestions(db), [])
  const chats = useLive((db) => listConversations(db, { limit: SHOWN_CHATS }), [])
  return (
    <nav className={styles.sidebar} aria-label="Switchboard">
      <div className={styles.top}>
        {onClose && <IconButton label="Close the menu" icon="close" onClick={onClose} />}
        <Entry to="/" icon="plus" strong>
          New chat
        </Entry>
        <button type="button" className={styles.entry} onClick={onSearch}>
          <Icon name="search" size={17} />
          Search
          <kbd className={styles.keys}>Ctrl K</kbd>
        </button>
      </div>
      <div className={styles.scroll}>
        <section>
          <h2 className={styles.heading}>
            <Link href="/gpts">GPTs</Link>
          </h2>
          <ul>
            {gpts?.slice(0, SHOWN_GPTS).map((gpt) => (
              <li key={gpt.id}>
                <Link
                  href={`/gpt/${gpt.id}/new`}
                  className={(isActive) => classNames(styles.entry, isActive && styles.active)}
                >
                  <GptIcon icon={gpt.icon} name={gpt.name} small />
                  <span className={styles.cut} title={gpt.name}>
                    {gpt.name}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <Entry to="/gpts" icon="right">
            {(gpts?.length ?? 0) > SHOWN_GPTS ? `All ${gpts?.length} GPTs` : 'Make and edit GPTs'}
          </Entry>
        </section>
        <section>
          <h2 className={styles.heading}>Chats</h2>
          {chats?.length === 0 && <p className={styles.empty}>Your conversations will be here.</p>}
          {chats &&
            groupByDay(chats, Date.now()).map(({ day, items }) => (
              <div key={day}>
                <h3 className={styles.day}>{day}</h3>
                <ul>
                  {items.map((chat) => (
                    <Chat
                      key={chat.id}
                      chat={chat}
                      isWaiting={waiting?.some(({ conversationId }) => conversationId === chat.id) ?? false}
                      isAsked={questions?.some(({ conversationId }) => conversationId === chat.id) ?? false}
                    />
                  ))}
                </ul>
              </div>
            ))}
        </section>
      </div>
      <div className={styles.bottom}>
        <Servers />
        <Entry to="/tools" icon="tool">
          Tools
        </Entry>
        <Tasks />
        <Settings />
      </div>
    </nav>
  )
}

function Chat({ chat, isWaiting, isAsked }: { chat: Conversation; isWaiting: boolean; isAsked: boolean }) {
  const isRunning = useEngineState((state) => state.turns[chat.id] === 'running')
  return (
    <li>
      <Link href={`/chat/${chat.id}`} className={(isActive) => classNames(styles.entry, isActive && styles.active)}>
        <span className={styles.cut} title={chat.title}>
          {chat.title}
        </span>
        {isWaiting ? (
          <StatusDot tone="warn" label="asks for your permission" />
        ) : isAsked ? (
          <StatusDot tone="warn" label="asks you something" />
        ) : (
          isRunning && <StatusDot tone="accent" label="at work" pulsing />
        )}
      </Link>
    </li>
  )
}

function Servers() {
  const servers = useLive((db) => listServers(db), [])
  const unseen = useLive((db) => unseenTools(db), [])
  const states = useEngineState((state) => state.servers)
  const enabled = servers?.filter((server) => server.enabled) ?? []
  const hasError = enabled.some(({ id }) => states[id]?.state === 'error' && !isWaitingForVault(states[id]))
  const isConnected = enabled.some(({ id }) => states[id]?.state === 'connected')
  return (
    <Entry to="/servers" icon="server">
      Servers
      <span className={styles.count}>{enabled.length || ''}</span>
      {unseen?.some(({ state }) => state === 'changed') ? (
        <StatusDot tone="warn" label="tools have changed since you last looked" />
      ) : hasError ? (
        <StatusDot tone="bad" label="a server cannot be reached" />
      ) : unseen && unseen.length > 0 ? (
        <StatusDot tone="accent" label={`${plural(unseen.length, 'new tool')} since you last looked`} />
      ) : (
        isConnected && <StatusDot tone="good" label="connected" />
      )}
    </Entry>
  )
}

function Tasks() {
  const tasks = useRunningTasks()
  return (
    <>
      <Entry to="/tasks" icon="clock">
        Tasks
        <span className={styles.count}>{tasks.length || ''}</span>
        {tasks.some(({ status }) => status === 'input_required') ? (
          <StatusDot tone="warn" label="a task asks you something" />
        ) : (
          tasks.length > 0 && <StatusDot tone="accent" label="at work" pulsing />
        )}
      </Entry>
      {tasks.length > 0 && (
        <Suspense>
          <TaskTray tasks={tasks} />
        </Suspense>
      )}
    </>
  )
}

function Settings() {
  const engine = useEngine()
  const vault = useEngineState((state) => state.vault)
  const isLocked = vault.state === 'locked'
  return (
    <div className={styles.settings}>
      <Entry to="/settings" icon="settings">
        Settings
      </Entry>
      {vault.protection !== 'device' && (
        <IconButton
          label={isLocked ? 'The vault is locked' : 'Lock the vault'}
          icon={isLocked ? 'lock' : 'unlock'}
          onClick={() => (isLocked ? (location.hash = '#/settings/vault') : void engine.lock())}
        />
      )}
    </div>
  )
}

function Entry({ to, icon, strong, children }: { to: string; icon: IconName; strong?: boolean; children: ReactNode }) {
  const [isActive] = useRoute(to === '/' ? '/nowhere' : `${to}/*?`)
  return (
    <Link href={to} className={classNames(styles.entry, strong && styles.strong, isActive && styles.active)}>
      <Icon name={icon} size={17} />
      {children}
    </Link>
  )
}
