import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { isTaskOver, isTaskTold } from '#domain/is-task-over.ts'
import type { Task } from '#domain/task.ts'
import { durationInWords } from '#lib/in-words.ts'
import { placeOfTool } from '#lib/place-of-tool.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { servers as allServers, tasks as lastTasks, toolCall } from '#storage/live.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { describeTask } from '#ui/call/describe-task.ts'
import { TaskProgress } from '#ui/call/task-progress.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { SelectField } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { Page } from '#ui/page.tsx'
import { CallErrorText } from '#ui/call/server-error.tsx'
import { ResultView } from '#ui/result/result-view.tsx'
import { TimeAgo } from '#ui/time-ago.tsx'
import { showToast } from '#ui/toast.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { useTaskDeeds } from '#wiring/use-task-deeds.ts'
import { NoticeSwitch } from './notice-switch.tsx'
import styles from './tasks.module.css'

const STEP = 100
type Shown = 'all' | 'active' | 'over'

/** Calls that go on at their servers, and those that did: of all servers or of one, as they stand now. */
export function TasksScreen({ serverId = '' }: { serverId?: string | undefined }) {
  const engine = useEngine()
  const [, go] = useLocation()
  const [state, setState] = useState<Shown>('all')
  const [limit, setLimit] = useState(STEP)
  const servers = useLive((db) => allServers(db), [])
  const found = useLive((db) => lastTasks(db, { serverId, state, limit: limit + 1 }), [serverId, state, limit])
  const shown = found?.slice(0, limit)
  const active = shown?.filter((task) => !isTaskOver(task)) ?? []
  const over = shown?.filter(isTaskOver) ?? []
  return (
    <Page
      title="Tasks"
      actions={
        <Button icon="trash" disabled={!over.some(isTaskTold)} onClick={() => void engine.clearTasks()}>
          Clear the finished
        </Button>
      }
    >
      <NoticeSwitch />
      <div className={styles.filters}>
        <SelectField
          label="Server"
          value={serverId}
          onChange={(event) => go(event.target.value ? `/tasks/${event.target.value}` : '/tasks')}
        >
          <option value="">All servers</option>
          {servers?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label="State" value={state} onChange={(event) => setState(event.target.value as Shown)}>
          <option value="all">All</option>
          <option value="active">At work</option>
          <option value="over">Finished</option>
        </SelectField>
      </div>
      {shown?.length === 0 && <NoTasks isFiltered={serverId !== '' || state !== 'all'} />}
      {active.length > 0 && <List title={`At work (${active.length})`} tasks={active} />}
      {over.length > 0 && <List title="Finished" tasks={over} />}
      {found && found.length > limit && (
        <div>
          <Button onClick={() => setLimit(limit + STEP)}>Show {plural(STEP, 'older one')}</Button>
        </div>
      )}
    </Page>
  )
}

const NoTasks = ({ isFiltered }: { isFiltered: boolean }) => (
  <EmptyState icon="clock" title={isFiltered ? 'No task is like that' : 'No tasks yet'}>
    {isFiltered ? (
      'Look at all servers, or at all states.'
    ) : (
      <>
        A tool that takes long can work in the background, where its server knows how. The chat goes on meanwhile, and
        what came of it is told there. Ask the demo assistant to <em>bake bread</em> to see one.
      </>
    )}
  </EmptyState>
)

const List = ({ title, tasks }: { title: string; tasks: readonly Task[] }) => (
  <section aria-label={title}>
    <h2 className={styles.heading}>{title}</h2>
    <ul className={styles.list}>
      {tasks.map((task) => (
        <Row key={task.id} task={task} />
      ))}
    </ul>
  </section>
)

function Row({ task }: { task: Task }) {
  const { icon, word, tone } = describeTask(task)
  const deeds = useTaskDeeds(task, showToast)
  const isOver = isTaskOver(task)
  const name = visibleText(task.title || task.toolName)
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <Icon name={icon} size={17} />
        <span className={styles.words}>
          <strong title={visibleText(task.toolName)}>{name}</strong> · {visibleText(task.serverName)}
        </span>
        <Badge tone={tone}>{word}</Badge>
        <span className={styles.soft}>
          {task.completedAt === undefined ? (
            <TimeAgo time={task.createdAt} />
          ) : (
            <>
              took {durationInWords(task.completedAt - task.createdAt)} · <TimeAgo time={task.completedAt} />
              {!isTaskTold(task) && ' · its chat is not told yet'}
            </>
          )}
        </span>
        {task.conversationId === '' ? (
          <Link href={placeOfTool(task.serverId, task.toolName)}>Open the tool</Link>
        ) : (
          <Link href={`/chat/${task.conversationId}`}>Open the chat</Link>
        )}
        {!isOver && (
          <Button small icon="refresh" onClick={() => void deeds.look()} aria-label={`Look at ${name} now`}>
            Refresh
          </Button>
        )}
      </div>
      {isOver ? <Outcome task={task} /> : <TaskProgress task={task} deeds={deeds} />}
    </li>
  )
}

/** What came of it, for who wants to see it here. */
function Outcome({ task }: { task: Task }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>What came of it</summary>
      {isOpen && <Result toolCallId={task.toolCallId} />}
    </details>
  )
}

function Result({ toolCallId }: { toolCallId: string }) {
  const call = useLive(async (db) => (await toolCall(db, toolCallId)) ?? null, [toolCallId])
  if (call === undefined) return null
  if (!call) return <p className={styles.soft}>Its call is not kept any more.</p>
  return (
    <div className={styles.result}>
      {call.error && <CallErrorText error={call.error} />}
      {(call.content || call.structuredContent !== undefined) && (
        <ResultView content={call.content ?? []} structured={call.structuredContent} />
      )}
    </div>
  )
}
