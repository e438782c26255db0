import { useState } from 'react'
import { setting } from '#storage/live.ts'
import { Tick } from '#ui/field.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'

/** Whether the system says so when a task ends while nobody looks. The browser asks in the click itself. */
export function NoticeSwitch() {
  const engine = useEngine()
  const isOn = useLive((db) => setting(db, 'notifyTasks'), []) ?? false
  const [isRefused, setRefused] = useState(false)
  const set = async (wanted: boolean) => {
    if (wanted && (await Notification.requestPermission()) !== 'granted') {
      setRefused(true)
      return
    }
    setRefused(false)
    await engine.saveSetting({ key: 'notifyTasks', value: wanted })
  }
  return (
    <Tick
      kind="switch"
      label="Tell me when a task ends while I look elsewhere"
      hint={
        isRefused
          ? 'The browser does not allow it. Allow notifications for this address in the browser, then try again.'
          : 'As a notification of your system, with the name of the tool and nothing of its result.'
      }
      checked={isOn}
      onChange={(wanted) => void set(wanted)}
    />
  )
}
