import type { HttpTransport } from '@switchboard/mcp'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Lets so many through in a minute, and the rest in the order in which they came. */
export interface Pace {
  /** Resolves when it is its turn; `onWait` hears how long that is at most. Rejects when the signal says so. */
  turn(signal: AbortSignal | null | undefined, onWait?: (waitMs: number) => void): Promise<void>
}

interface Waiting {
  go: () => void
}

/** Of any minute, not of those of the clock: at the turn of one of those twice as many would go out at once. */
export function createPace(perMinute: number, minuteMs = 60_000): Pace {
  /** When the last ones went, oldest first. */
  const gone: number[] = []
  const queue: Waiting[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  /** When the one after `ahead` others may go. */
  const turnAfter = (ahead: number, now: number): number => {
    const times = [...gone]
    for (let each = 0; each <= ahead; each++) times.push(Math.max(now, (times.at(-perMinute) ?? -Infinity) + minuteMs))
    return times.at(-1) ?? now
  }

  const letGo = (): void => {
    clearTimeout(timer)
    timer = undefined
    for (;;) {
      const [next] = queue
      if (!next) return
      const now = performance.now()
      const at = turnAfter(0, now)
      if (at > now) {
        timer = setTimeout(letGo, Math.ceil(at - now))
        return
      }
      queue.shift()
      gone.push(now)
      if (gone.length > perMinute) gone.shift()
      next.go()
    }
  }

  return {
    turn: (signal, onWait) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        const leave = (): void => {
          queue.splice(queue.indexOf(waiting), 1)
          reject(signal?.reason as Error)
          // Whoever comes next may be up sooner.
          letGo()
        }
        const waiting: Waiting = {
          go() {
            signal?.removeEventListener('abort', leave)
            resolve()
          },
        }
        signal?.addEventListener('abort', leave)
        const now = performance.now()
        const waitMs = turnAfter(queue.length, now) - now
        queue.push(waiting)
        if (waitMs > 0) onWait?.(waitMs)
        letGo()
      }),
  }
}

/**
 * Has every request of a transport wait for its turn, those too that it repeats by itself. `watch` tells the client of the
 * wait: it would else take it for the silence of the server, and a call that never left for one that may have run.
 */
export function paceRequests(fetch: Fetch, pace: Pace): { fetch: Fetch; watch: (transport: HttpTransport) => void } {
  const listeners = new WeakMap<AbortSignal, (waitMs: number) => void>()
  return {
    async fetch(url, init) {
      await pace.turn(init.signal, init.signal ? listeners.get(init.signal) : undefined)
      return fetch(url, init)
    },
    watch(transport) {
      const send = transport.send.bind(transport)
      transport.send = (message, options) => {
        if (options?.abort && options.onactivity) listeners.set(options.abort.signal, options.onactivity)
        return send(message, options)
      }
    },
  }
}
