import { useState } from 'react'
import { Link } from 'wouter'
import { type JsonChange, jsonChanges } from '#domain/json-changes.ts'
import type { Defined, LedgerEntry } from '#domain/tool-ledger.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { server as serverById, toolLedger } from '#storage/live.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { ChangesView } from '#ui/changes-view.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page, Section } from '#ui/page.tsx'
import { TimeAgo } from '#ui/time-ago.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import styles from './changes.module.css'

/** What of a server's tools is not what it was, and its past. */
export function ChangesScreen({ serverId }: { serverId: string }) {
  const engine = useEngine()
  const found = useLive(
    async (db) => ({ server: await serverById(db, serverId), entries: await toolLedger(db, serverId) }),
    [serverId],
  )
  if (!found) return null
  const { server, entries } = found
  if (!server)
    return (
      <EmptyState icon="question" title="This server is gone" action={<Link href="/servers">All servers</Link>}>
        It was removed here or in another tab.
      </EmptyState>
    )
  const changed = entries.filter(({ state, isThere }) => state === 'changed' && isThere)
  const fresh = entries.filter(({ state, isThere }) => state === 'new' && isThere)
  const see = (seen: readonly LedgerEntry[]) =>
    void engine.seeTools({
      serverId,
      shown: seen.map(({ toolName, fingerprint }) => ({ toolName, fingerprint })),
    })
  return (
    <Page title={`Changes of ${visibleText(server.name)}`}>
      {changed.length === 0 && fresh.length === 0 && (
        <EmptyState icon="check" title="Nothing has changed">
          Its tools are as you last saw them. When one changes, it is not used until you have seen here what is
          different.
        </EmptyState>
      )}
      {changed.length > 0 && (
        <Section
          title={`Changed since you last looked (${changed.length})`}
          hint="They are not used, and no model is told of them, until you have seen them. What you allowed before is void: they ask again."
        >
          {changed.map((entry) => (
            <Changed key={entry.id} entry={entry} onSeen={() => see([entry])} />
          ))}
          {changed.length > 1 && (
            <div>
              <Button onClick={() => see(changed)}>I have seen all {changed.length}: use them again</Button>
            </div>
          )}
        </Section>
      )}
      {fresh.length > 0 && (
        <Section title={`New since you last looked (${fresh.length})`}>
          <ul className={styles.names}>
            {fresh.map(({ id, toolName }) => (
              <li key={id}>
                <code>{visibleText(toolName)}</code> <Badge tone="accent">new</Badge>
              </li>
            ))}
          </ul>
          <div>
            <Button onClick={() => see(fresh)}>I have seen {plural(fresh.length, 'new tool')}</Button>
          </div>
        </Section>
      )}
      <History entries={entries} />
      <p>
        <Link href={`/servers/${serverId}`}>Back to {visibleText(server.name)}</Link>
      </p>
    </Page>
  )
}

const valueOf = (definition: string): unknown => {
  try {
    return JSON.parse(definition)
  } catch {
    // Too long to be kept whole.
    return definition
  }
}

function movedFrom(before: string, after: string): JsonChange[] {
  if (before === after) return []
  const [name] = after.split('#')
  // A digest says nothing to a person; that the program is another one does.
  if (after.startsWith('companion:') && before.split('#')[0] === name)
    return [{ path: 'command in the companion’s file', before: 'the one that you saw', after: 'another one' }]
  return [{ path: 'address', before, after }]
}

function changesBetween(then: Defined, { endpoint, definition }: Defined): JsonChange[] {
  const changes = [...movedFrom(then.endpoint, endpoint), ...jsonChanges(valueOf(then.definition), valueOf(definition))]
  return changes.length > 0
    ? changes
    : [{ path: 'definition', after: 'It differs beyond the part that is kept of so long a definition.' }]
}

function Changed({ entry, onSeen }: { entry: LedgerEntry; onSeen: () => void }) {
  return (
    <article className={styles.changed} aria-label={`${entry.toolName}, changed`}>
      <h3 className={styles.name}>
        <code>{visibleText(entry.toolName)}</code> <Badge tone="warn">changed</Badge>
      </h3>
      {entry.before && <ChangesView changes={changesBetween(entry.before, entry)} />}
      <div>
        <Button onClick={onSeen}>I have seen it: use it again</Button>
      </div>
    </article>
  )
}

const WORDS = { came: 'was there', changed: 'changed', went: 'was gone', seen: 'was seen by you' } as const
const MOST = 100

/** What a tool was before and after it changed at that time, where that is still kept. */
function changeAt(entry: LedgerEntry, at: number): [Defined, Defined] | undefined {
  const { earlier = [] } = entry
  const index = earlier.findIndex(({ until }) => until === at)
  const was = earlier[index]
  return was && [was, earlier[index + 1] ?? entry]
}

function History({ entries }: { entries: readonly LedgerEntry[] }) {
  const all = entries
    .flatMap((entry) => entry.history.map((one) => ({ ...one, toolName: entry.toolName, entry })))
    .sort((one, other) => other.at - one.at)
  if (all.length === 0) return null
  return (
    <details>
      <summary>History ({all.length})</summary>
      <ol className={styles.names}>
        {all.slice(0, MOST).map(({ at, what, toolName, entry }) => (
          <li key={`${toolName} ${at} ${what}`}>
            <TimeAgo time={at} /> <code>{visibleText(toolName)}</code> {WORDS[what]}
            {what === 'changed' && <Difference change={changeAt(entry, at)} />}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Drawn when it is opened: a past can be long. */
function Difference({ change }: { change: [Defined, Defined] | undefined }) {
  const [isOpen, setOpen] = useState(false)
  if (!change) return null
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What was different</summary>
      {isOpen && <ChangesView changes={changesBetween(...change)} />}
    </details>
  )
}
