/** Longer than any screen takes to be drawn. */
const LIMIT_MS = 10_000

let held: { id: string; text: string; stop: () => void } | undefined

/**
 * Keeps what is typed while one screen's field is gone and the next one's is not there yet. Only keys that nobody else gets
 * are taken: those that the page itself hears.
 */
export function holdKeys(id: string): void {
  held?.stop()
  const hear = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event
    if (event.target !== document.body || ctrlKey || metaKey || altKey || isComposing || !held) return
    const letters = Array.from(held.text)
    if (key === 'Backspace') held.text = letters.slice(0, -1).join('')
    else if (key === 'Enter') held.text += '\n'
    else if (Array.from(key).length === 1) held.text += key
    else return
    event.preventDefault()
  }
  const stop = (): void => {
    removeEventListener('keydown', hear, true)
    clearTimeout(timer)
    held = undefined
  }
  const timer = setTimeout(stop, LIMIT_MS)
  held = { id, text: '', stop }
  addEventListener('keydown', hear, true)
}

/** What was typed for this field before it was there, once. */
export function takeHeldKeys(id: string): string {
  if (held?.id !== id) return ''
  const { text, stop } = held
  stop()
  return text
}
