const KEY = 'switchboard-kept'

/**
 * A mark outside the database that there is one: whoever finds the mark and an empty database knows that the browser lost it.
 * Who clears the data of this address clears the mark too.
 */
export const keptMark = {
  isThere(): boolean {
    try {
      return localStorage.getItem(KEY) !== null
    } catch {
      return false
    }
  },
  set(isKept: boolean): void {
    try {
      if (isKept) localStorage.setItem(KEY, 'yes')
      else localStorage.removeItem(KEY)
    } catch {
      // A browser that stores nothing loses nothing.
    }
  },
}
