import { visibleText } from '#lib/visible-text.ts'
import { COMPOSER_ID, focusComposer } from '../composer-id.ts'

/** What the user sends is theirs: words of somebody else say whose they are. */
export const markedText = (text: string, serverName: string): string =>
  `[From the screen of ${visibleText(serverName)}, not written by me]\n${visibleText(text)}`

/** Adds words to what is being written, as if they had been typed: nothing is sent. */
export function putIntoDraft(text: string): boolean {
  const field = document.getElementById(COMPOSER_ID)
  if (!(field instanceof HTMLTextAreaElement)) return false
  const next = [field.value, text].filter((one) => one.trim() !== '').join('\n\n')
  // The setter of the element itself: the one that React puts over it would keep the change from being noticed.
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, next)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  focusComposer()
  return true
}
