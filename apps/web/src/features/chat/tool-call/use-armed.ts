import { type RefObject, useEffect, useState } from 'react'

const ARMING_MS = 500

/**
 * Whether buttons may act: half a second after they came into sight, and not before. A card that appears under a finger or
 * an Enter on its way must not be answered by it. `onSight` is told once, when they come into sight.
 */
export function useArmed(area: RefObject<HTMLElement | null>, onSight: () => void): boolean {
  const [isArmed, setArmed] = useState(false)
  useEffect(() => {
    if (!area.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        timer = setTimeout(() => setArmed(true), ARMING_MS)
        onSight()
      },
      { threshold: 0.9 },
    )
    observer.observe(area.current)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
    // It arms once in its life.
  }, [])
  return isArmed
}
