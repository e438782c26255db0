import { useEffect } from 'react'

/** What the tab is called. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · Switchboard`
  }, [title])
}
