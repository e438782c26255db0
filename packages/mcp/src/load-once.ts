/** Loads something once; what could not be loaded is tried anew by the next who needs it. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    if (!loading) {
      loading = load()
      // Heard here, so that who only begins it need not.
      loading.catch(() => (loading = undefined))
    }
    return loading
  }
}
