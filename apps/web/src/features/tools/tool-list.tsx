import { type KeyboardEvent, memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { placeOfTool } from '#lib/place-of-tool.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { ToolBadges } from '#ui/tool-badges.tsx'
import { ToolIcon } from '#ui/tool-icon.tsx'
import { ToolMark } from '#ui/tool-mark.tsx'
import { findTools } from './find-tools.ts'
import type { ToolEntry } from './tool-entry.ts'
import styles from './tool-list.module.css'

/** So many are drawn at first; more come when the end comes into sight. */
const AT_ONCE = 100

/** What is looked for, and what was found. Arrow keys walk through it, Enter opens. */
export function ToolList({
  entries,
  chosen,
  onFirst,
}: {
  entries: readonly ToolEntry[]
  chosen: { serverId: string; toolName: string } | undefined
  /** Enter in the field: the first that was found. */
  onFirst: (entry: ToolEntry) => void
}) {
  const [query, setQuery] = useState('')
  // The field never waits for the list.
  const settled = useDeferredValue(query)
  const found = useMemo(() => findTools(entries, settled), [entries, settled])
  const [count, setCount] = useState(AT_ONCE)
  const list = useRef<HTMLUListElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const focused = useRef<Element>(undefined)
  useEffect(() => {
    // Who stood on a row that is found no more goes on from the field, and not from nowhere.
    if (focused.current?.isConnected === false && document.activeElement === document.body) field.current?.focus()
  }, [found])
  useEffect(() => {
    setCount(AT_ONCE)
    list.current?.parentElement?.scrollTo({ top: 0 })
  }, [settled])

  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || !list.current) return
    const rows = [...list.current.querySelectorAll<HTMLElement>('a')]
    const at = rows.indexOf(document.activeElement as HTMLElement)
    const next = rows[at + step]
    if (!next && !(at === 0 && step === -1)) return
    event.preventDefault()
    if (next) next.focus()
    else field.current?.focus()
  }
  const isChosen = ({ serverId, tool }: ToolEntry) => serverId === chosen?.serverId && tool.name === chosen.toolName
  const shown = found.slice(0, count)
  // One of them takes the focus by Tab: a thousand would keep the keyboard busy for long.
  const stop = Math.max(0, shown.findIndex(isChosen))
  return (
    <div
      className={styles.list}
      onKeyDown={walk}
      onFocus={(event) => (focused.current = event.target)}
      onBlur={(event) => {
        if (event.target.isConnected) focused.current = undefined
      }}
    >
      <div className={styles.field}>
        <input
          ref={field}
          type="search"
          aria-label="Search tools"
          placeholder="Search tools"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            // Of what the field says now, which the list may not show yet.
            const [first] = findTools(entries, query)
            if (first) onFirst(first)
          }}
        />
        <p className={styles.count} role="status">
          {settled ? `${found.length} of ${plural(entries.length, 'tool')}` : plural(entries.length, 'tool')}
        </p>
      </div>
      <nav className={styles.scroll} aria-label="Tools">
        <ul ref={list}>
          {shown.map((entry, index) => (
            <ToolRow
              key={placeOfTool(entry.serverId, entry.tool.name)}
              entry={entry}
              isChosen={isChosen(entry)}
              isStop={index === stop}
            />
          ))}
        </ul>
        {found.length > count && (
          <More left={found.length - count} onMore={() => setCount((before) => before + AT_ONCE)} />
        )}
        {found.length === 0 && entries.length > 0 && (
          <p className={styles.none}>No tool has these words. Names, titles, descriptions and servers are searched.</p>
        )}
      </nav>
    </div>
  )
}

const ToolRow = memo(function ToolRow({
  entry: { serverId, serverName, isEnabled, tool, mark },
  isChosen,
  isStop,
}: {
  entry: ToolEntry
  isChosen: boolean
  isStop: boolean
}) {
  const { name, title, annotations, icon, problem, warnings = [] } = tool
  return (
    <li className={styles.item}>
      <Link
        href={placeOfTool(serverId, name)}
        className={classNames(styles.row, isChosen && styles.chosen)}
        aria-current={isChosen ? 'page' : undefined}
        tabIndex={isStop ? 0 : -1}
      >
        <ToolIcon icon={icon} size={18} />
        <span className={styles.words}>
          <span className={styles.title}>{visibleText(title || name)}</span>
          <span className={styles.soft}>
            {title && title !== name && <code>{visibleText(name)}</code>}
            <span>{visibleText(serverName)}</span>
            {!isEnabled && <span>switched off</span>}
          </span>
          <span className={styles.badges}>
            <ToolBadges annotations={annotations} />
            <ToolMark state={mark} />
            {problem && mark !== 'changed' && (
              <Badge tone="bad" title={visibleText(problem)}>
                cannot be used
              </Badge>
            )}
            {warnings.length > 0 && (
              <Badge tone="warn" title={warnings.join(' ')}>
                look at it
              </Badge>
            )}
          </span>
        </span>
      </Link>
    </li>
  )
})

/** Draws more as soon as it is seen; a button for whoever comes without scrolling. */
function More({ left, onMore }: { left: number; onMore: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  more.current = onMore
  useEffect(() => {
    if (!place.current) return
    const watch = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) more.current()
      },
      { rootMargin: '400px' },
    )
    watch.observe(place.current)
    return () => watch.disconnect()
    // Begun anew for every length: one that stays in sight tells nothing more.
  }, [left])
  return (
    <div ref={place} className={styles.more}>
      <Button small onClick={onMore}>
        Show more ({left} left)
      </Button>
    </div>
  )
}
