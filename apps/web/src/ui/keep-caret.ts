/**
 * Remembers where one writes. What it returns puts the caret back, if the field has the focus by then: Chromium, when it closes
 * a dialog, gives the focus back without the caret, and what is typed then is written nowhere.
 */
export function keepCaret(): () => void {
  const field = document.activeElement
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return () => {}
  const { value, selectionStart, selectionEnd } = field
  // Fields for numbers and the like have none that could be set.
  if (selectionStart === null || selectionEnd === null) return () => {}
  return () => {
    if (document.activeElement !== field) return
    if (field.value === value) field.setSelectionRange(selectionStart, selectionEnd)
    else field.setSelectionRange(field.value.length, field.value.length)
  }
}
