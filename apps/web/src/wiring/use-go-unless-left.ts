import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

/** Goes elsewhere when a deed is done, unless its user has left the screen meanwhile: nobody is fetched back. */
export function useGoUnlessLeft(): (to: string) => void {
  const [, go] = useLocation()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return useCallback(
    (to: string) => {
      if (isHere.current) go(to)
    },
    [go],
  )
}
