import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { visibleText } from '#lib/visible-text.ts'
import {
  allCustomTools,
  listConversations,
  listGpts,
  searchConversations,
  servers as listServers,
} from '#storage/live.ts'
import { useCloseBeside } from '#ui/close-beside.ts'
import { Icon } from '#ui/icon.tsx'
import { useKept } from '#wiring/use-kept.ts'
import { useLive } from '#wiring/use-live.ts'
import { type Entry, findEntries } from './find-entries.ts'
import styles from './search.module.css'
import { placeEntries, serverEntries, toolEntries } from './server-entries.ts'

const actions: Entry[] = [
  { id: 'new-chat', group: 'Actions', icon: 'plus', label: 'New chat', to: '/' },
  { id: 'gpts', group: 'Actions', icon: 'sparkle', label: 'Make and edit GPTs', to: '/gpts' },
  { id: 'add-server', group: 'Actions', icon: 'server', label: 'Connect a server', to: '/servers/new' },
  { id: 'tools', group: 'Actions', icon: 'tool', label: 'Tools', hint: 'try them by hand', to: '/tools' },
  {
    id: 'custom-tools',
    group: 'Actions',
    icon: 'plus',
    label: 'Custom tools',
    hint: 'describe one, import an OpenAPI document',
    to: '/servers/custom',
  },
  {
    id: 'messages',
    group: 'Actions',
    icon: 'chat',
    label: 'Messages',
    hint: 'what was said with servers, recordings',
    to: '/messages',
  },
  { id: 'models', group: 'Actions', icon: 'settings', label: 'Models', hint: 'connect, keys', to: '/settings/models' },
  {
    id: 'vault',
    group: 'Actions',
    icon: 'lock',
    label: 'Vault',
    hint: 'passphrase, lock, unlock',
    to: '/settings/vault',
  },
  {
    id: 'approvals',
    group: 'Actions',
    icon: 'check',
    label: 'Approvals',
    hint: 'what runs without asking',
    to: '/settings/approvals',
  },
  {
    id: 'data',
    group: 'Actions',
    icon: 'archive',
    label: 'Your data',
    hint: 'size, export, wipe',
    to: '/settings/data',
  },
]

const SETTLE_MS = 150

/** Finds chats by title, messages and tool results, GPTs, servers, tools and places. Arrow keys choose, Enter goes there, Escape closes. */
export function Search({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('')
  const [chosen, choose] = useState<string>()
  const [, go] = useLocation()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const entries = useEntries(query)
  // The one itself, not its place: what is found later may come before it.
  const at = Math.max(
    entries.findIndex((entry) => keyOf(entry) === chosen),
    0,
  )

  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const open = (entry: Entry | undefined) => {
    if (!entry) return
    go(entry.to)
    onClose()
  }
  const hear = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = step && entries.at((at + step) % entries.length)
    if (next) choose(keyOf(next))
    else if (event.key === 'Enter') open(entries[at])
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} className={styles.search} aria-label="Search" onClose={onClose} {...useCloseBeside(onClose)}>
      <div className={styles.body}>
        <div className={styles.field}>
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-label="Search chats, GPTs, servers and actions"
            aria-expanded={true}
            aria-controls={id}
            aria-activedescendant={entries[at] ? `${id}-${at}` : undefined}
            placeholder="Search chats, GPTs, servers and actions"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              choose(undefined)
            }}
            onKeyDown={hear}
          />
        </div>
        <div className={styles.list} id={id} role="listbox" aria-label="Found">
          {entries.map((entry, index) => (
            <EntryView
              key={keyOf(entry)}
              id={`${id}-${index}`}
              entry={entry}
              heading={entry.group === entries[index - 1]?.group ? undefined : entry.group}
              isChosen={index === at}
              onPoint={() => choose(keyOf(entry))}
              onOpen={() => open(entry)}
            />
          ))}
        </div>
        {entries.length === 0 && (
          <p className={styles.none}>No matches. Chats are searched by title, messages and tool results.</p>
        )}
      </div>
    </dialog>
  )
}

function EntryView({
  id,
  entry,
  heading,
  isChosen,
  onPoint,
  onOpen,
}: {
  id: string
  entry: Entry
  heading: ReactNode
  isChosen: boolean
  onPoint: () => void
  onOpen: () => void
}) {
  return (
    <>
      {heading && (
        <div className={styles.heading} role="presentation">
          {heading}
        </div>
      )}
      {/* The keys are heard by the field, which keeps the focus. */}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        tabIndex={-1}
        className={styles.entry}
        onPointerMove={onPoint}
        onClick={onOpen}
      >
        <Icon name={entry.icon} size={16} />
        <span className={styles.words}>
          <span>{visibleText(entry.label)}</span>
          {entry.hint && <small>{visibleText(entry.hint)}</small>}
        </span>
      </div>
    </>
  )
}

function useEntries(query: string): Entry[] {
  const settled = useSettled(query.trim())
  const gpts = useLive(listGpts, [])
  const servers = useLive(listServers, [])
  const customTools = useLive(allCustomTools, [])
  const found = useKept(
    useLive(
      async (db): Promise<{ words: string; chats: Entry[] }> => ({
        words: settled,
        chats: settled
          ? (await searchConversations(db, settled, 12)).map(({ conversation, snippet }) => ({
              ...chatEntry(conversation),
              ...(snippet ? { hint: `${snippet.before}${snippet.match}${snippet.after}` } : {}),
            }))
          : (await listConversations(db, { limit: 6 })).map(chatEntry),
      }),
      [settled],
    ),
  )
  return useMemo(() => {
    const gptEntries = (gpts ?? []).map(
      ({ id, name, description }): Entry => ({
        id,
        group: 'GPTs',
        icon: 'sparkle',
        label: name,
        hint: description,
        to: `/gpt/${id}/new`,
      }),
    )
    return [
      // Until these words were looked for, of those that are here only the ones that have them.
      ...(found?.words === query.trim() ? found.chats : findEntries(found?.chats ?? [], query, 12)),
      ...findEntries(gptEntries, query, 5),
      ...findEntries(serverEntries(servers ?? []), query, 5),
      ...(query.trim() ? findEntries(placeEntries(servers ?? []), query, 5) : []),
      ...(query.trim() ? findEntries(toolEntries(servers ?? [], customTools ?? []), query, 5) : []),
      ...findEntries(actions, query, actions.length),
    ]
  }, [found, gpts, servers, customTools, query])
}

const keyOf = ({ group, id }: Entry): string => `${group}:${id}`

const chatEntry = ({ id, title }: { id: string; title: string }): Entry => ({
  id,
  group: 'Chats',
  icon: 'chat',
  label: title,
  to: `/chat/${id}`,
})

/** The value once it has rested: a search at every key would be wasted. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
