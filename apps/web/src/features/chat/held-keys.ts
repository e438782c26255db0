/** Longer than any screen takes to be drawn. */
const LIMIT_MS = 10_000

let held: { id: string; text: string; stop: () => void } | undefined

/**
 * Keeps what is typed while one screen's field is gone and the field of the next one, the chat `id`, is not there yet. Only keys
 * that nobody else gets are taken: those that the page itself hears. It ends when the field takes them, or when the user leaves
 * that chat; `save` then gets what the field never took.
 */
export function holdKeys(id: string, save: (text: string) => void): void {
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
    removeEventListener('hashchange', leave)
    removeEventListener('pagehide', giveUp)
    clearTimeout(timer)
    held = undefined
  }
  const giveUp = (): void => {
    const text = held?.text
    stop()
    if (text) save(text)
  }
  const leave = (): void => {
    if (location.hash !== `#/chat/${id}`) giveUp()
  }
  const timer = setTimeout(giveUp, LIMIT_MS)
  held = { id, text: '', stop }
  addEventListener('keydown', hear, true)
  addEventListener('hashchange', leave)
  addEventListener('pagehide', giveUp)
}

/** What was typed for this field before it was there, once. */
export function takeHeldKeys(id: string): string {
  if (held?.id !== id) return ''
  const { text, stop } = held
  stop()
  return text
}

/** Leaves the keys to the page: the field that they were held for will not come, nor is there a draft to save them in. */
export function dropHeldKeys(): void {
  held?.stop()
}
