import { useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'

/** Goes elsewhere when a deed is done, unless its user has left the screen meanwhile: nobody is fetched back. */
export function useGoUnlessLeft(): (to: string) => void {
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
    const address = location.hash
    return (to) => {
      if (isShown.current && location.hash === address) go(to)
    }
  }, [here, go])
}
