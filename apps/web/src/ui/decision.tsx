import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { ARMING_MS, useArmed } from './use-armed.ts'

/** The attribute by which F6 finds the cards that wait for an answer. */
const WAITING = 'data-waiting'

interface DecisionCardProps extends Omit<ComponentProps<'section'>, 'tabIndex'> {
  /** The sentence that is announced when the card appears. */
  announce: string
  /** Something waits for the answer, so the sentence interrupts what a screen reader is reading. */
  isUrgent?: boolean
  children: ReactNode
}

/**
 * A card on which a person decides something. It never takes the keyboard: it is announced, and F6 leads to it. Its buttons
 * belong into `Actions`.
 */
export function DecisionCard({ announce, isUrgent = true, children, ...rest }: DecisionCardProps) {
  // Decided once: what is announced must not change, or it would be announced again.
  const [hasKeyboard] = useState(() => matchMedia('(pointer: fine)').matches)
  return (
    <section {...rest} {...{ [WAITING]: '' }} tabIndex={-1}>
      <p className="visually-hidden" role={isUrgent ? 'alert' : 'status'} aria-live={isUrgent ? 'assertive' : 'polite'}>
        {announce}
        {hasKeyboard && ' Press F6 to go there.'}
      </p>
      {children}
    </section>
  )
}

/** The buttons of the surrounding `Actions` that act now. */
const Armed = createContext<ReadonlySet<Element> | undefined>(undefined)

/** Whether a button of the surrounding `Actions` acts now. */
export const useIsArmed = (): boolean => useContext(Armed)?.size !== 0

/** Marks the buttons that only refuse. */
const REFUSES = 'data-refuses'

/**
 * The buttons that act. A click counts once the button has been in the same place for half a second, Enter and Space only on a
 * button that the person moved the focus to or that has had it for as long, and a key that is held down never. A click on a button that only refuses always
 * counts: a misdirected refusal does no harm, and a card that keeps moving must stay answerable.
 */
export function Actions({ className, children }: { className: string | undefined; children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null)
  const { armed, mayAct } = useArmed(area)
  const focus = useOwnFocus(area)
  /** The key that went down here and counted: its release does too. */
  const pressed = useRef<string>(undefined)
  const isReady = (button: Element) => button.hasAttribute(REFUSES) || mayAct(button)
  const guardClick = (event: SyntheticEvent) => {
    // A menu is opened by a button that is guarded, and doesn't move with the card.
    if (isInMenu(event.target)) return
    const button = event.target instanceof Element && event.target.closest('button')
    if (!button || !isReady(button)) refuse(event)
  }
  const guardKey = (event: KeyboardEvent) => {
    const { target, key, type, repeat } = event
    if (!(target instanceof HTMLButtonElement)) return
    if (key !== 'Enter' && key !== ' ') return focus.noteTyping()
    if (type === 'keydown' && !repeat) {
      const counts = isInMenu(target) || focus.isOwn(target) || (focus.isSettled(target) && isReady(target))
      pressed.current = counts ? key : undefined
    }
    if (pressed.current === key && !repeat) return
    focus.noteTyping()
    refuse(event)
  }
  return (
    <Armed value={armed}>
      <div
        ref={area}
        className={className}
        onClickCapture={guardClick}
        onKeyDownCapture={guardKey}
        onKeyUpCapture={guardKey}
      >
        {children}
      </div>
    </Armed>
  )
}

/**
 * A button in `Actions`. It can hold the focus before it acts, so it isn't `disabled` until then. `refuses` is for answers such
 * as Deny and Cancel, which allow nothing and send nothing.
 */
export function ActionButton({ refuses = false, ...props }: ButtonProps & { refuses?: boolean }) {
  const button = useRef<HTMLButtonElement>(null)
  const armed = useContext(Armed)
  const isArmed = refuses || !armed || (button.current !== null && armed.has(button.current))
  const isOff = props['aria-disabled'] === true || props['aria-disabled'] === 'true'
  return <Button {...props} {...(refuses && { [REFUSES]: '' })} ref={button} aria-disabled={!isArmed || isOff} />
}

const isInMenu = (target: EventTarget): boolean => target instanceof Element && target.closest('[popover]') !== null

function refuse(event: SyntheticEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

interface OwnFocus {
  /** The person moved the focus to it, with Tab or the mouse. A script that does so doesn't count. */
  isOwn: (target: Element) => boolean
  /**
   * It has had the focus for half a second in which nobody typed. The focus also arrives in ways that this document can't see:
   * with Tab out of another site's frame, with a screen reader, with spatial navigation. Keys typed ahead come sooner.
   */
  isSettled: (target: Element) => boolean
  /** A key that doesn't count was pressed: the half second begins anew. */
  noteTyping: () => void
}

function useOwnFocus(area: RefObject<HTMLElement | null>): OwnFocus {
  const own = useRef<EventTarget>(undefined)
  const quietSince = useRef(Infinity)
  useEffect(() => {
    const element = area.current
    if (!element) return
    let isMoving = false
    let timer: ReturnType<typeof setTimeout>
    const begin = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Tab') return
      isMoving = true
      // The browser moves the focus in the same task, after all listeners.
      clearTimeout(timer)
      timer = setTimeout(() => (isMoving = false))
    }
    const hear = ({ target }: Event) => {
      quietSince.current = performance.now()
      // Coming back to the window gives the focus to the element that had it.
      if (isMoving) own.current = target ?? undefined
      else if (own.current !== target) own.current = undefined
    }
    document.addEventListener('keydown', begin, true)
    document.addEventListener('mousedown', begin, true)
    element.addEventListener('focusin', hear)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', begin, true)
      document.removeEventListener('mousedown', begin, true)
      element.removeEventListener('focusin', hear)
    }
  }, [])
  return {
    isOwn: (target) => own.current === target,
    isSettled: (target) => target === document.activeElement && performance.now() - quietSince.current >= ARMING_MS,
    noteTyping: () => {
      quietSince.current = performance.now()
    },
  }
}

/**
 * F6 goes from card to card, and from the last one to `end`; with Shift the other way. False where no card waits: then the key
 * is the browser's.
 */
export function goToNextDecision(end: HTMLElement | null, isBackward: boolean): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>(`[${WAITING}]`)].filter((card) => card.checkVisibility())
  if (cards.length === 0) return false
  const places = end ? [...cards, end] : cards
  const at = places.findIndex((place) => place.contains(document.activeElement))
  const step = isBackward ? -1 : 1
  const next = places[at < 0 ? (isBackward ? places.length - 1 : 0) : (at + step + places.length) % places.length]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
  return true
}
