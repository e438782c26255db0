import { useEffect, useState } from 'react'

/** The whole seconds since then, in milliseconds, counted on while it is drawn. */
export function useElapsed(since: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - since) / 1_000) * 1_000)
}
