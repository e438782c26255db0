import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import { classNames } from '../class-names.ts'
import { TextField } from '../field.tsx'
import styles from './completed-field.module.css'

/** Whoever types fast is asked about what they have typed, not about every letter. */
const ASK_AFTER_MS = 200
const MOST_SHOWN = 20

export type Complete = (value: string) => Promise<{ values: string[]; hasMore: boolean }>

/** A field that knows what could be meant by what is typed: arrow keys walk the suggestions, Enter takes one, Escape closes them. */
export function CompletedField({
  label,
  hint,
  value,
  isRequired,
  startsFocused = false,
  complete,
  onChange,
}: {
  label: ReactNode
  hint?: ReactNode
  value: string
  isRequired: boolean
  startsFocused?: boolean
  complete: Complete | undefined
  onChange: (value: string) => void
}) {
  const id = useId()
  const { values, hasMore, close, open } = useSuggestions(value, complete)
  // The one itself, not its place: an answer that comes late may bring the same again, elsewhere.
  const [chosen, choose] = useState<string>()
  const active = chosen === undefined ? -1 : values.indexOf(chosen)
  const isOpen = values.length > 0

  const shut = (at: string) => {
    choose(undefined)
    close(at)
  }
  const take = (suggestion: string) => {
    onChange(suggestion)
    shut(suggestion)
  }
  const hear = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' && !isOpen) return open()
    if (!isOpen) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) choose(values.at((Math.max(active, step > 0 ? -1 : 0) + step) % values.length))
    else if (event.key === 'Enter' && chosen !== undefined && active >= 0) take(chosen)
    else if (event.key === 'Escape') shut(value)
    else return
    // Else Enter would send the form, and Escape close the window around it.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={styles.field} onBlur={() => shut(value)}>
      <TextField
        label={label}
        hint={hint}
        value={value}
        required={isRequired}
        autoFocus={startsFocused}
        maxLength={10_000}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
        onFocus={open}
        onChange={(event) => {
          choose(undefined)
          onChange(event.target.value)
        }}
        onKeyDown={hear}
      />
      {isOpen && (
        <ul id={id} role="listbox" aria-label="Suggestions" className={styles.list}>
          {values.map((suggestion, index) => (
            <li
              key={suggestion}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              className={classNames(styles.option, index === active && styles.active)}
              // The field would lose the focus before the click is heard.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(suggestion)}
            >
              {visibleText(suggestion)}
            </li>
          ))}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {isOpen ? `${values.length}${hasMore ? ' of many' : ''} suggestions` : ''}
      </p>
    </div>
  )
}

function useSuggestions(value: string, complete: Complete | undefined) {
  const [found, setFound] = useState<{ values: string[]; hasMore: boolean }>(NONE)
  const [wishes, setWishes] = useState(0)
  const settled = useRef<string>(undefined)
  const ask = useRef(complete)
  ask.current = complete
  useEffect(() => {
    if (wishes === 0 || settled.current === value) return
    let isOver = false
    // Closed, or left, before the answer was there.
    const isLate = () => isOver || settled.current === value
    const timer = setTimeout(() => {
      // A server that does not say what could be meant is no hindrance to whoever knows it.
      ask.current?.(value).then(
        ({ values, hasMore }) => {
          if (isLate()) return
          const others = values.filter((one) => one !== value)
          setFound({ values: others.slice(0, MOST_SHOWN), hasMore: hasMore || others.length > MOST_SHOWN })
        },
        () => !isLate() && setFound(NONE),
      )
    }, ASK_AFTER_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [value, wishes])
  return {
    ...found,
    open: () => {
      settled.current = undefined
      setWishes((before) => before + 1)
    },
    /** Until something else is typed. */
    close: (at: string) => {
      settled.current = at
      setFound(NONE)
    },
  }
}
const NONE = { values: [], hasMore: false }
