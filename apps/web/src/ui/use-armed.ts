import { type RefObject, useEffect, useRef, useState } from 'react'

/** How long a button must rest in sight before it acts, and must have had the focus before a key counts. */
export const ARMING_MS = 500
/** Layout that settles by a fraction of a pixel is no movement. */
const TOLERANCE_PX = 1
/** At high zoom or in a short window there can be less room than a whole button needs. */
const VISIBLE_PART = 0.5

export interface Arming {
  /** The buttons that may act, for what is shown: updated frame by frame. */
  armed: ReadonlySet<Element>
  /** For the click itself: a button can move between the last frame and the click. */
  mayAct: (button: Element) => boolean
}

const none: ReadonlySet<Element> = new Set()

/**
 * Tells which buttons in `area` may act. A button must have been in sight, in the same place and of the same size, for half a
 * second: a click or a key that was meant for something else must not land on a button that has just appeared or moved.
 * Each button is judged on its own, because the whole area can be taller than the part of the page that is visible.
 */
export function useArmed(area: RefObject<HTMLElement | null>): Arming {
  const [armed, setArmed] = useState(none)
  const check = useRef<(button: Element) => boolean>(() => false)
  useEffect(() => {
    if (!area.current) return
    const watch = watchButtons(area.current, setArmed)
    check.current = watch.mayAct
    return watch.end
  }, [])
  return { armed, mayAct: (button) => check.current(button) }
}

function watchButtons(area: HTMLElement, onChange: (armed: ReadonlySet<Element>) => void) {
  /** The buttons in sight, and since when each has been at rest. */
  const inSight = new Map<Element, { place: DOMRect; since: number }>()
  let shown = none
  let frame = 0

  const mayAct = (button: Element): boolean => {
    const rest = inSight.get(button)
    if (!rest || document.hidden) return false
    const place = button.getBoundingClientRect()
    if (hasMoved(rest.place, place)) inSight.set(button, { place, since: performance.now() })
    return performance.now() - (inSight.get(button)?.since ?? Infinity) >= ARMING_MS
  }
  // Every frame: no observer reports that an element moved because something above it grew.
  const look = () => {
    const armed = [...inSight.keys()].filter(mayAct)
    if (armed.length !== shown.size || armed.some((button) => !shown.has(button))) onChange((shown = new Set(armed)))
    if (inSight.size > 0) frame = requestAnimationFrame(look)
  }
  const restart = () => {
    const since = performance.now()
    for (const rest of inSight.values()) rest.since = since
  }
  const observer = new IntersectionObserver(
    (entries) => {
      const since = performance.now()
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) inSight.set(target, { place: target.getBoundingClientRect(), since })
        else inSight.delete(target)
      cancelAnimationFrame(frame)
      look()
    },
    { threshold: VISIBLE_PART },
  )
  const observeButtons = () => {
    for (const button of area.querySelectorAll('button:not([popover] *)')) observer.observe(button)
  }
  const additions = new MutationObserver(observeButtons)
  additions.observe(area, { childList: true, subtree: true })
  observeButtons()
  document.addEventListener('visibilitychange', restart)
  return {
    mayAct,
    end: () => {
      observer.disconnect()
      additions.disconnect()
      cancelAnimationFrame(frame)
      document.removeEventListener('visibilitychange', restart)
    },
  }
}

const hasMoved = (before: DOMRect, now: DOMRect): boolean =>
  (['x', 'y', 'width', 'height'] as const).some((side) => Math.abs(before[side] - now[side]) >= TOLERANCE_PX)
