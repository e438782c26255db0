import { useState } from 'react'
import { Tick } from '#ui/field.tsx'
import { useSetting } from '#wiring/use-setting.ts'

/** Whether the system says so when a task ends while nobody looks. The browser asks in the click itself. */
export function NoticeSwitch() {
  const [isOn, setOn] = useSetting('notifyTasks')
  const [isRefused, setRefused] = useState(false)
  const set = async (wanted: boolean) => {
    if (wanted && (await Notification.requestPermission()) !== 'granted') {
      setRefused(true)
      return
    }
    setRefused(false)
    await setOn(wanted)
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
      checked={isOn ?? false}
      onChange={(wanted) => void set(wanted)}
    />
  )
}
