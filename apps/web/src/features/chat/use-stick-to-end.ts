import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** So near the end counts as being there. */
const NEAR = 48

/**
 * Keeps the end in sight while the reader is there, and leaves a reader who scrolled up alone. `scroller` scrolls `content`.
 */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): { isAtEnd: boolean; goToEnd: () => void; stick: () => void } {
  const [isAtEnd, setAtEnd] = useState(true)
  const isStuck = useRef(true)
  /** Where the reader was last seen. */
  const top = useRef(0)
  /** The end is brought into sight by what grows next. Looking for it now would lay all of it out, in the middle of drawing. */
  const stick = useCallback(() => {
    isStuck.current = true
    // What goes above moves the place too, and is no reader.
    top.current = 0
    setAtEnd(true)
  }, [])
  const goToEnd = useCallback(() => {
    stick()
    if (!scroller.current) return
    scroller.current.scrollTop = scroller.current.scrollHeight
    top.current = scroller.current.scrollTop
  }, [scroller, stick])

  useEffect(() => {
    const area = scroller.current
    const inside = content.current
    if (!area || !inside) return
    const look = () => {
      const isNear = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR
      // What grows below moves the end away; only a reader moves up.
      if (isNear) isStuck.current = true
      else if (area.scrollTop < top.current) isStuck.current = false
      top.current = area.scrollTop
      setAtEnd(isStuck.current)
    }
    const observer = new ResizeObserver(() => {
      look()
      if (isStuck.current) goToEnd()
    })
    observer.observe(inside)
    observer.observe(area)
    area.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      area.removeEventListener('scroll', look)
    }
  }, [scroller, content, goToEnd])
  return { isAtEnd, goToEnd, stick }
}
