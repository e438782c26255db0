import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Recording } from '#domain/recording.ts'
import { fileSize } from '#lib/file-size.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { recordings, servers as allServers } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { download } from '#ui/download.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { Page } from '#ui/page.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import styles from './messages.module.css'

const STEP = 200

/** Every message between the app and its servers, newest first, for whoever looks for a fault. */
export function MessagesScreen({ serverId = '' }: { serverId?: string | undefined }) {
  const engine = useEngine()
  const [, go] = useLocation()
  const { run } = useDeed()
  const [words, setWords] = useState('')
  const [limit, setLimit] = useState(STEP)
  const servers = useLive((db) => allServers(db), [])
  const found = useLive((db) => recordings(db, { serverId, words, limit: limit + 1 }), [serverId, words, limit])
  const shown = found?.slice(0, limit)
  const save = () =>
    void run(async () => {
      const { name, text } = await engine.exportRecordings(serverId ? { serverId } : {})
      download(name, text)
    })
  return (
    <Page
      title="Messages with servers"
      actions={
        <>
          <Button icon="download" onClick={save}>
            Save as a file
          </Button>
          <Button icon="trash" onClick={() => void engine.clearRecordings()}>
            Clear
          </Button>
        </>
      }
    >
      <p className={styles.soft}>
        The last messages are kept in this browser, without headers, without keys and without what you answered to
        questions; tasks and sessions have labels in place of their ids. What you sent to a tool and what it answered is
        in them: look through a file before you give it away. They are kept apart from your chats: a chat that you
        delete leaves them here until you clear them.
      </p>
      <div className={styles.filters}>
        <TextField
          label="Search"
          type="search"
          value={words}
          placeholder="tools/call, a word of an answer…"
          onChange={(event) => {
            setWords(event.target.value)
            setLimit(STEP)
          }}
        />
        <SelectField
          label="Server"
          value={serverId}
          onChange={(event) => go(event.target.value ? `/messages/${event.target.value}` : '/messages')}
        >
          <option value="">All servers</option>
          {servers?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      {shown?.length === 0 && (
        <EmptyState icon="search" title={words || serverId ? 'No message is like that' : 'Nothing yet'}>
          {words || serverId ? (
            'Search for other words, or look at all servers.'
          ) : (
            <>
              As soon as the app talks to a <Link href="/servers">server</Link>, what they say is here.
            </>
          )}
        </EmptyState>
      )}
      <ol className={styles.list} aria-label="Messages, newest first">
        {shown?.map((recording) => (
          <Row key={recording.id} recording={recording} />
        ))}
      </ol>
      {found && found.length > limit && (
        <div>
          <Button onClick={() => setLimit(limit + STEP)}>Show {STEP} older ones</Button>
        </div>
      )}
      {shown && shown.length > 0 && (
        <p className={styles.soft} role="status">
          {plural(shown.length, 'message')} shown
        </p>
      )}
    </Page>
  )
}

const ARROWS = { sent: '→', received: '←', failed: '✕' } as const
const WORDS = { sent: 'to', received: 'from', failed: 'no answer from' } as const

function Row({ recording }: { recording: Recording }) {
  const { at, direction, serverName, method, text, size } = recording
  const [isOpen, setOpen] = useState(false)
  const time = new Date(at)
  return (
    <li className={styles.row}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.summary}>
          <time dateTime={time.toISOString()} title={time.toLocaleString()}>
            {time.toLocaleTimeString()}
          </time>
          <span aria-hidden="true">{ARROWS[direction]}</span>
          <span className={styles.what}>
            <span className="visually-hidden">{WORDS[direction]} </span>
            <strong>{visibleText(serverName)}</strong> {visibleText(method) || 'a message'}
          </span>
          <span className={styles.size}>{fileSize(size)}</span>
        </summary>
        {isOpen && (
          <div className={styles.body}>
            <CopyButton text={text} label="Copy the message" />
            <pre className={styles.text} tabIndex={0}>
              {visibleText(pretty(text))}
            </pre>
          </div>
        )}
      </details>
    </li>
  )
}

/** One that was cut is no JSON any more. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
