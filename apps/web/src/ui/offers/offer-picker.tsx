import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import styles from './offer-picker.module.css'

const DRAWN = 100

export interface Pickable {
  key: string
  /** What a search looks through. */
  words: string
  drawn: ReactNode
  isChosen?: boolean
  onPick: () => void
}

/** Many things to choose one from. Typing finds, arrow keys walk, Enter takes. */
export function OfferPicker({
  label,
  items,
  empty,
  startsFocused = false,
}: {
  label: string
  items: readonly Pickable[]
  /** What is said where there is nothing. */
  empty: ReactNode
  startsFocused?: boolean
}) {
  const [text, setText] = useState('')
  const [count, setCount] = useState(DRAWN)
  const list = useRef<HTMLUListElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = items.filter(({ words }) => {
    const lower = words.toLowerCase()
    return wanted.every((word) => lower.includes(word))
  })

  const walk = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[data-offer]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    if (event.key === 'Enter' && at < 0 && !event.nativeEvent.isComposing) {
      event.preventDefault()
      return found[0]?.onPick()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const to = at + step
    if (to < 0) search.current?.focus()
    else all[Math.min(to, all.length - 1)]?.focus()
  }
  return (
    <div className={styles.picker} onKeyDown={walk}>
      <input
        ref={search}
        type="search"
        className={styles.search}
        aria-label={`Search ${label}`}
        placeholder={`Search ${label}…`}
        autoComplete="off"
        autoFocus={startsFocused}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setCount(DRAWN)
        }}
      />
      <ul ref={list} className={styles.list} aria-label={label}>
        {found.slice(0, count).map(({ key, drawn, isChosen, onPick }) => (
          <li key={key} className={styles.item}>
            <button
              type="button"
              data-offer=""
              className={classNames(styles.offer, isChosen && styles.chosen)}
              aria-current={isChosen || undefined}
              onClick={onPick}
            >
              {drawn}
            </button>
          </li>
        ))}
      </ul>
      {found.length > count && (
        <Button small onClick={() => setCount(count + DRAWN)}>
          Show more ({found.length - count} left)
        </Button>
      )}
      {found.length === 0 && (items.length === 0 ? empty : <p className={styles.none}>Nothing has these words.</p>)}
    </div>
  )
}
