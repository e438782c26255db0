/** Remembers the events of a stream, so that what a server replays after a reconnect is not delivered twice. */
export class SeenEvents {
  readonly #seen = new Set<string>()

  /** True the first time; an id alone is no proof, as some servers give every event the same. */
  add(id: string, data: string): boolean {
    if (id === '') return true
    let hash = data.length
    for (let i = 0; i < data.length; i++) hash = (Math.imul(hash, 31) + data.charCodeAt(i)) | 0
    const key = `${hash} ${id}`
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    if (this.#seen.size > 10_000) for (const oldest of this.#seen) return this.#seen.delete(oldest)
    return true
  }
}
