import { MCPError } from './errors.ts'

/** Loads something once; what could not be loaded is tried anew by the next who needs it. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    if (!loading) {
      loading = load().catch((cause: unknown) => {
        loading = undefined
        throw new MCPError('was not sent: a part of @switchboard/mcp could not be loaded', 'network', { cause })
      })
      // Heard here, so that who only begins it need not.
      loading.catch(() => {})
    }
    return loading
  }
}
