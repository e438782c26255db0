import { guard } from '../errors.ts'
import type { TransportEvents } from './transport.ts'

/** Carries what happens on a transport to whoever listens. */
export class EventBus {
  readonly #listeners = new Map<string, Set<(event: never) => void>>()

  on<T extends keyof TransportEvents>(type: T, listener: (event: TransportEvents[T]) => void): () => void {
    let listeners = this.#listeners.get(type)
    if (!listeners) this.#listeners.set(type, (listeners = new Set()))
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  emit<T extends keyof TransportEvents>(
    type: T,
    event: TransportEvents[T],
    report: ((error: Error) => void) | undefined,
  ): void {
    for (const listener of this.#listeners.get(type) ?? []) guard(report, listener, event as never)
  }
}
