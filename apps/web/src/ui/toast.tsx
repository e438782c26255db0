import { useSyncExternalStore } from 'react'
import { Button, IconButton } from './button.tsx'
import styles from './toast.module.css'

interface Toast {
  id: number
  text: string
  action?: { label: string; run: () => void }
}

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()
const change = (next: readonly Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}
const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))

/** Says something in passing, with a way back where there is one. It stays for ten seconds. */
export function showToast(text: string, action?: Toast['action']): void {
  const id = nextId++
  change([...toasts.slice(-2), { id, text, ...(action ? { action } : {}) }])
  setTimeout(() => dismiss(id), 10_000)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className={styles.stack} role="status" aria-live="polite">
      {shown.map(({ id, text, action }) => (
        <div key={id} className={styles.toast}>
          <span>{text}</span>
          {action && (
            <Button
              small
              look="quiet"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton small label="Dismiss" icon="close" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
