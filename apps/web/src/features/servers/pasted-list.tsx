import { useState } from 'react'
import type { Failure } from '#domain/failure.ts'
import type { Pasted, PastedEntry } from '#domain/read-pasted.ts'
import type { Server } from '#domain/server.ts'
import { companionFile, companionName } from '#domain/write-configuration.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { servers as allServers } from '#storage/live.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Explained } from '#ui/explained.tsx'
import { Line, Lines } from '#ui/lines.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/page.tsx'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { useLive } from '#wiring/use-live.ts'
import { draftOf, requestOf, type ServerDraft } from './server-draft.ts'
import styles from './servers.module.css'
import { Understood } from './understood.tsx'
import { useCompanionServers } from './use-companion-servers.ts'

type Servers = Extract<Pasted, { kind: 'servers' }>

/** Everything that a paste names, to choose from. Nothing is connected to before it is added. */
export function PastedList({ pasted: { format, entries, notes } }: { pasted: Servers }) {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  const adding = useDeed()
  const { listed } = useCompanionServers()
  const known = useLive((db) => allServers(db), [])
  /** What the person ticked or unticked; the rest is as it began. */
  const [ticks, setTicks] = useState<ReadonlyMap<number, boolean>>(new Map())
  const [failures, setFailures] = useState<ReadonlyMap<number, Failure>>(new Map())
  const running = new Set(listed?.servers.map(({ name }) => name))

  const why = entries.map((entry) => whyNot(entry, running))
  const isKnown = entries.map((entry) => known?.some((server) => isSame(server, entry)) === true)
  // Known servers are added again only on request. Until the list is there, nobody can say which those are.
  const chosen = entries.flatMap((_, at) =>
    known && why[at] === undefined && (ticks.get(at) ?? !isKnown[at]) ? [at] : [],
  )
  const programs = entries.flatMap(({ name, program }) =>
    program && !running.has(companionName(name)) ? [{ name, program }] : [],
  )
  const add = async () => {
    const wanted = chosen.map((at) => requestOf(serverDraft(entries[at] as PastedEntry)))
    const report = await adding.run(() => engine.importServers({ servers: wanted }))
    if (!report) return
    const failed = report.results.flatMap(({ failure }, index) =>
      failure ? [[chosen[index] ?? 0, failure] as const] : [],
    )
    const added = report.results.length - failed.length
    if (added > 0) showToast(`Added ${plural(added, 'server')}, without trust or permissions.`)
    if (failed.length === 0) return void go('/servers')
    setFailures(new Map(failed))
    // Those that are in are not added twice.
    const isFailed = (at: number) => failed.some(([one]) => one === at)
    setTicks(new Map([...ticks, ...chosen.filter((at) => !isFailed(at)).map((at) => [at, false] as const)]))
  }
  const toggle = (at: number, isOn: boolean) => setTicks(new Map([...ticks, [at, isOn]]))
  return (
    <Section
      title={entries.length === 1 ? 'One server' : `${entries.length} servers`}
      hint={`This is ${format}. Nothing is connected to before you add it, and nothing comes with trust or permissions. Keys go into the vault.`}
    >
      {notes.map((note) => (
        <p key={note} className={styles.soft}>
          {visibleText(note)}
        </p>
      ))}
      <Lines>
        {entries.map((entry, at) => (
          <Line key={at}>
            <EntryLine
              entry={entry}
              why={why[at]}
              isKnown={isKnown[at] === true}
              isChosen={chosen.includes(at)}
              failure={failures.get(at)}
              toggle={(isOn) => toggle(at, isOn)}
            />
          </Line>
        ))}
      </Lines>
      {adding.failure && <Explained {...explain(adding.failure)} />}
      {entries.some((entry) => !entry.program) || chosen.length > 0 ? (
        <div>
          <Button look="primary" busy={adding.isBusy} disabled={chosen.length === 0} onClick={() => void add()}>
            {chosen.length === 1 ? 'Add this server' : `Add ${plural(chosen.length, 'server')}`}
          </Button>
        </div>
      ) : null}
      {programs.length > 0 && (
        <ForCompanion programs={programs} isPresent={listed?.present === true} hint={listed?.hint} />
      )}
    </Section>
  )
}

function whyNot({ problem, program, name }: PastedEntry, running: ReadonlySet<string>): string | undefined {
  if (problem !== undefined) return problem
  if (!program || running.has(companionName(name))) return undefined
  return 'A browser starts no programs. The companion does, once this is in its file (below).'
}

const isSame = ({ transport, url, companionName: program }: Server, entry: PastedEntry): boolean =>
  entry.program ? transport === 'stdio' && program === companionName(entry.name) : entry.url !== '' && url === entry.url

/** A program that the companion has is used by its name there. */
const serverDraft = (entry: PastedEntry): ServerDraft =>
  entry.program
    ? {
        ...draftOf(entry),
        transport: 'stdio',
        companionName: companionName(entry.name),
        authentication: { type: 'none' },
        timeoutSeconds: entry.timeoutSeconds ?? 60,
      }
    : draftOf(entry)

function EntryLine({
  entry,
  why,
  isKnown,
  isChosen,
  failure,
  toggle,
}: {
  entry: PastedEntry
  why: string | undefined
  isKnown: boolean
  isChosen: boolean
  failure: Failure | undefined
  toggle: (isOn: boolean) => void
}) {
  const { name, url, program } = entry
  const shown = { ...entry, ...(why !== undefined && { problem: why }) }
  return (
    <div className={why === undefined ? styles.entry : `${styles.entry} ${styles.greyed}`}>
      <label className={styles.entryName}>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={why !== undefined}
          onChange={(event) => toggle(event.target.checked)}
        />
        <strong>{visibleText(name)}</strong>
        {isKnown && <Badge title="This server is in your list.">already in your list</Badge>}
        {!entry.enabled && <Badge>switched off</Badge>}
      </label>
      <code className={styles.place}>{visibleText(program ? [program.command, ...program.args].join(' ') : url)}</code>
      <Understood entry={shown} />
      {failure && <Explained {...explain(failure)} action={undefined} />}
    </div>
  )
}

/** What the browser cannot do: the user puts it where the companion reads it, and it appears by itself. */
function ForCompanion({
  programs,
  isPresent,
  hint,
}: {
  programs: Parameters<typeof companionFile>[0]
  isPresent: boolean
  hint: string | undefined
}) {
  const text = companionFile(programs)
  return (
    <Notice
      title={programs.length === 1 ? 'To run this program' : 'To run these programs'}
      actions={<CopyButton text={text} label="Copy this" withWords />}
    >
      <p>
        {isPresent
          ? 'Put this into the companion’s file. It appears here by itself, ready to be added.'
          : 'They run on your computer, by the companion: start it (npm start), open the address that it prints, and put this into its file.'}{' '}
        {hint && visibleText(hint)}
      </p>
      <pre className={styles.stderr} tabIndex={0}>
        {visibleText(text)}
      </pre>
    </Notice>
  )
}
