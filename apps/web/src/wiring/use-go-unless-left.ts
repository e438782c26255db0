import { useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'

/** Goes elsewhere when a deed is done, unless its user has left the screen meanwhile: nobody is fetched back. Tells whether it goes. */
export function useGoUnlessLeft(): (to: string) => boolean {
  const [here, go] = useLocation()
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useMemo(() => {
    // Who has gone is told of a moment later: until then the screen is still shown, and only the address knows.
    const address = shownHash()
    return (to) => {
      const isHere = isShown.current && shownHash() === address
      if (isHere) go(to)
      return isHere
    }
  }, [here, go])
}

/** An app that was opened without any is at home too. */
const shownHash = (): string => location.hash || '#/'
