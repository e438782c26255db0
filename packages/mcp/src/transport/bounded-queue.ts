import { MCPError } from '../errors.ts'

/** Runs a few tasks at a time, keeps some more waiting, and refuses the rest. */
export class BoundedQueue {
  readonly #atOnce: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  async run(task: () => Promise<void>): Promise<void> {
    if (this.#running < this.#atOnce) this.#running++
    else if (this.#waiting.length < this.#maxWaiting) await new Promise<void>((next) => this.#waiting.push(next))
    else throw new MCPError(`${this.#maxWaiting} answers are already waiting to be sent`, 'limit')
    try {
      await task()
    } finally {
      // The place passes to the next task directly, so that none can overtake it.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
