import { useEffect, useState } from 'react'
import { leaveNote, sessionNote } from '#lib/session-note.ts'

/**
 * What was typed last when the page went. `save` is called when the screen or the page is left; but the engine goes with the page,
 * and may not come to it. So what `unsaved` tells then is given to the next page in this tab, once. Both must stay the same.
 */
export function useLeftBehind(id: string, unsaved: () => string | undefined, save: () => void): string | undefined {
  const key = `switchboard-left:${id}`
  const [left] = useState(() => sessionNote(key) ?? undefined)
  useEffect(() => {
    const leave = () => {
      leaveNote(key, unsaved())
      save()
    }
    // It has been taken over; and a page that comes back as it was has all of it.
    const forget = () => leaveNote(key, undefined)
    forget()
    addEventListener('pagehide', leave)
    addEventListener('pageshow', forget)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', forget)
      save()
    }
  }, [key, unsaved, save])
  return left
}
