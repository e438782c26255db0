import { type RefObject, useEffect, useRef, useState } from 'react'

const ARMING_MS = 500
/** Layout that settles by a fraction of a pixel is no movement. */
const TOLERANCE_PX = 1

export interface Arming {
  /** For what is shown: follows the page frame by frame. */
  isArmed: boolean
  /** For the click itself: a card can move between the last frame and the click. */
  mayAct: () => boolean
}

/**
 * Whether the buttons in `area` may act. They must have been in sight, in the same place and of the same size, for half a
 * second: a click or a key that was meant for something else must not land on a card that has just appeared or moved.
 */
export function useArmed(area: RefObject<HTMLElement | null>): Arming {
  const [isArmed, setArmed] = useState(false)
  const check = useRef<() => boolean>(() => false)
  useEffect(() => {
    const element = area.current
    if (!element) return
    const watch = watchPlace(element, setArmed)
    check.current = watch.isSettled
    return watch.end
  }, [])
  return { isArmed, mayAct: () => check.current() }
}

function watchPlace(element: HTMLElement, onChange: (isSettled: boolean) => void) {
  let place = element.getBoundingClientRect()
  let since = performance.now()
  let isInSight = false
  let frame = 0

  const restart = () => {
    since = performance.now()
  }
  const isSettled = (): boolean => {
    const now = element.getBoundingClientRect()
    if (hasMoved(place, now)) {
      place = now
      restart()
    }
    return isInSight && !document.hidden && performance.now() - since >= ARMING_MS
  }
  // Every frame: no observer reports that an element moved because something above it grew.
  const look = () => {
    onChange(isSettled())
    frame = requestAnimationFrame(look)
  }
  const observer = new IntersectionObserver(
    (entries) => {
      isInSight = entries.at(-1)?.isIntersecting ?? false
      cancelAnimationFrame(frame)
      restart()
      if (isInSight) look()
      else onChange(false)
    },
    { threshold: 0.9 },
  )
  observer.observe(element)
  document.addEventListener('visibilitychange', restart)
  return {
    isSettled,
    end: () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      document.removeEventListener('visibilitychange', restart)
    },
  }
}

const hasMoved = (before: DOMRect, now: DOMRect): boolean =>
  (['x', 'y', 'width', 'height'] as const).some((side) => Math.abs(before[side] - now[side]) >= TOLERANCE_PX)
