/** Answers that stay true for a while. One per client: another account is another client, whatever a server calls public. */
export class ResultCache {
  epoch = 0
  readonly #entries = new Map<string, { value: unknown; until: number }>()

  get<T>(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry && entry.until > performance.now()) return entry.value as T
    this.#entries.delete(key)
    return undefined
  }

  /** Keeps an answer that was asked for in this epoch: what was forgotten since then may be true no more. */
  set(key: string, value: unknown, ttlMs: number, epoch: number): void {
    if (!(ttlMs > 0) || epoch !== this.epoch) return
    this.#entries.set(key, { value, until: performance.now() + ttlMs })
    // A server with endless resources must not fill the memory with them.
    if (this.#entries.size > 500) for (const oldest of this.#entries.keys()) return void this.#entries.delete(oldest)
  }

  /** Forgets every entry whose key begins so; all of them without a beginning. */
  forget(prefix = ''): void {
    this.epoch++
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key)
  }
}
