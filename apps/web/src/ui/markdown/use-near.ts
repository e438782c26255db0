import { type RefObject, useEffect, useRef, useState } from 'react'

/** So far from the screen a section is drawn already. `scrollMargin` counts in the scrolling element that it is in. */
const MARGIN = '1500px 0px'

const listeners = new WeakMap<Element, (entry: IntersectionObserverEntry) => void>()
let shared: IntersectionObserver | undefined

function observer(): IntersectionObserver {
  shared ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) listeners.get(entry.target)?.(entry)
    },
    { rootMargin: MARGIN, scrollMargin: MARGIN } as IntersectionObserverInit,
  )
  return shared
}

/**
 * Whether an element is on the screen or near it. `height` is the element's height when it was left. With `leaves` it is
 * told when the element is far again, too.
 */
export function useNear(
  startsNear: boolean,
  leaves: boolean,
): { place: RefObject<HTMLDivElement | null>; isNear: boolean; height: number | undefined } {
  const [{ isNear, height }, setState] = useState<{ isNear: boolean; height?: number }>({ isNear: startsNear })
  const place = useRef<HTMLDivElement>(null)
  const isDone = isNear && !leaves
  useEffect(() => {
    const element = place.current
    if (!element || isDone) return
    listeners.set(element, ({ isIntersecting, boundingClientRect }) => {
      setState((was) => {
        if (was.isNear === isIntersecting) return was
        return isIntersecting ? { ...was, isNear: true } : { isNear: false, height: boundingClientRect.height }
      })
    })
    observer().observe(element)
    return () => {
      observer().unobserve(element)
      listeners.delete(element)
    }
  }, [isDone])
  return { place, isNear, height }
}
