/** What a note of this tab says; nothing where the browser denies storage, which a page hears as an exception. */
export function sessionNote(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}
