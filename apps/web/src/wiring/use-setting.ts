import { useState } from 'react'
import type { SettingKey, Settings } from '#domain/setting.ts'
import { setting } from '#storage/live.ts'
import { useEngine } from './use-engine.ts'
import { useKept } from './use-kept.ts'
import { useLive } from './use-live.ts'

/** A setting, and what sets it. What was chosen is shown at once, and from when it is stored on what is stored. */
export function useSetting<Key extends SettingKey>(
  key: Key,
): [value: Settings[Key] | undefined, set: (value: Settings[Key]) => Promise<void>] {
  const engine = useEngine()
  const [chosen, setChosen] = useState<{ value: Settings[Key] }>()
  // What was read before may not have it yet: with another number it is read anew.
  const [saves, setSaves] = useState(0)
  const stored = useLive((db) => setting(db, key), [key, saves])
  const set = (value: Settings[Key]) => {
    const mine = { value }
    setChosen(mine)
    return engine.saveSetting({ key, value }).finally(() => {
      setChosen((last) => (last === mine ? undefined : last))
      setSaves((count) => count + 1)
    })
  }
  return [useKept(chosen?.value ?? stored), set]
}
