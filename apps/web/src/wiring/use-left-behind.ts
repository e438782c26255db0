import { useEffect, useState } from 'react'
import { leaveNote, sessionNote } from '#lib/session-note.ts'

/** As long as a reload may take. Whoever comes back later finds what was stored since. */
const GOOD_FOR_MS = 60_000

const keyOf = (id: string) => `switchboard-left:${id}`

/** Leaves words for the next who asks for what was left behind under this id, in this tab. */
export const leaveBehind = (id: string, text: string | undefined): void =>
  leaveNote(keyOf(id), text === undefined ? undefined : `${Date.now()} ${text}`)

/**
 * What was typed last when the page went. `save` is called when the screen or the page is left; but the engine goes with the page,
 * and may not come to it. So what `unsaved` tells then is given to the next page in this tab, once. Both must stay the same.
 */
export function useLeftBehind(id: string, unsaved: () => string | undefined, save: () => void): string | undefined {
  const [left] = useState(() => readNote(sessionNote(keyOf(id))))
  useEffect(() => {
    const leave = () => {
      leaveBehind(id, unsaved())
      save()
    }
    // It has been taken over; and a page that comes back as it was has all of it.
    const forget = () => leaveBehind(id, undefined)
    forget()
    addEventListener('pagehide', leave)
    addEventListener('pageshow', forget)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', forget)
      save()
    }
  }, [id, unsaved, save])
  return left
}

function readNote(note: string | null): string | undefined {
  const [, at, text] = /^(\d+) ([^]*)$/.exec(note ?? '') ?? []
  return Math.abs(Date.now() - Number(at)) < GOOD_FOR_MS ? text : undefined
}
