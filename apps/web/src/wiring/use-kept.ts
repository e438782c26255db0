import { useRef } from 'react'

/** The last value that was there: what a live query found stays in sight while it looks again. */
export function useKept<T>(value: T | undefined): T | undefined {
  const kept = useRef(value)
  if (value !== undefined) kept.current = value
  return kept.current
}
