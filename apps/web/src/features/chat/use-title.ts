import { useEffect } from 'react'
import { useSetting } from '#wiring/use-setting.ts'

const NEUTRAL = 'Switchboard'

/**
 * Names the tab after a chat or GPT, if the user wants that. Browsers write the title of every page into their history,
 * which this app cannot read or delete, so by default the title says nothing.
 */
export function useTitle(title: string | undefined): void {
  const [isWanted] = useSetting('titlesInTab')
  useEffect(() => {
    document.title = title && isWanted ? `${title} · ${NEUTRAL}` : NEUTRAL
    return () => {
      document.title = NEUTRAL
    }
  }, [title, isWanted])
}
