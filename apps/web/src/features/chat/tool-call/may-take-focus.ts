const EDITABLE = 'textarea, input:not([type=checkbox]):not([type=radio]):not([type=button]), [contenteditable]'

/** Whether the focus may move away from where it is: never from words that are being typed, nor out of a dialog or a menu. */
export function mayTakeFocus(active: Element | null): boolean {
  if (!active || active === document.body) return true
  if (active.closest('dialog, [popover]')) return false
  if (!active.matches(EDITABLE)) return true
  return 'value' in active ? active.value === '' : active.textContent === ''
}
