import { settingDefaults } from '#domain/setting.ts'

const TICK_MS = 10_000
const MINUTE_MS = 60_000
const SLEEP_MS = 60 * MINUTE_MS

/** Calls `onIdle` once when nobody has been there for as long as is allowed, or when the computer slept for an hour. */
export function createIdleWatch(onIdle: () => void) {
  let idleMs = settingDefaults.idleLockMinutes * MINUTE_MS
  let touchedAt = Date.now()
  let tickedAt = Date.now()
  let timer: ReturnType<typeof setInterval> | undefined

  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }

  /** Timers stand still while the computer sleeps: whoever is about to use a secret looks at the clock first. */
  const check = () => {
    if (timer === undefined) return
    const now = Date.now()
    const isIdle = now - touchedAt >= idleMs || now - tickedAt >= SLEEP_MS
    tickedAt = now
    if (!isIdle) return
    stop()
    onIdle()
  }

  const touch = () => {
    check()
    touchedAt = Date.now()
  }

  return {
    check,
    touch,
    stop,
    start: () => {
      stop()
      touchedAt = tickedAt = Date.now()
      timer = setInterval(check, TICK_MS)
    },
    setMinutes: (minutes: number) => {
      idleMs = minutes * MINUTE_MS
      check()
    },
  }
}
