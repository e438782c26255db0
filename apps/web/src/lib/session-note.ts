/** What a note of this tab says; nothing where the browser denies storage, which a page hears as an exception. */
export function sessionNote(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Leaves a note for whoever opens the app in this tab next, or takes it away. It is written before the page is gone. */
export function leaveNote(key: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Where nothing is stored, nothing is left.
  }
}

/** Takes all notes of this tab away. */
export function forgetNotes(): void {
  try {
    sessionStorage.clear()
  } catch {
    // There were none.
  }
}
