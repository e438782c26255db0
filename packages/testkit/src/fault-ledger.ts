import type { Socket } from 'node:net'

export type Fields = Record<string, unknown>

/** A JSON-RPC message as it came over the wire: nothing about it is certain. */
export interface WireMessage {
  jsonrpc?: unknown
  id?: unknown
  method?: string
  params?: Fields
  result?: Fields
  error?: { code: number; message: string; data?: unknown }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One HTTP request as the server saw it. */
export interface LedgerEntry {
  readonly nth: number
  readonly at: number
  readonly httpMethod: string
  readonly path: string
  readonly headers: Record<string, string | string[] | undefined>
  /** The JSON-RPC method, or undefined for GET, DELETE, OPTIONS and for answers from the client. */
  readonly method: string | undefined
  readonly id: unknown
  /** The decoded body, if it was a JSON object. */
  readonly message: WireMessage | undefined
  readonly params: Fields
  readonly meta: Fields
  /** The arguments of tools/call. */
  readonly arguments: Fields
  /** True once the response has been sent in full. */
  finished: boolean
  /** True when the connection ended before the response did. */
  disconnected: boolean
}

/** One run of a tool: what must never happen twice for one call. */
export interface Execution {
  readonly tool: string
  readonly id: unknown
  readonly callId: string | undefined
  readonly arguments: Fields
  readonly at: number
}

type Watcher = { test: () => boolean; done: () => void }

/** Counts what reached the server. Tests await its changes instead of sleeping. */
export class Ledger {
  readonly entries: LedgerEntry[] = []
  readonly executions: Execution[] = []
  /** Ids named by notifications/cancelled. */
  readonly cancels: unknown[] = []
  /** Answers that the client sent to requests of the server. */
  readonly answers: WireMessage[] = []
  readonly open = new Set<LedgerEntry>()
  readonly sockets = new Set<Socket>()
  /** Connections accepted since the start. */
  connections = 0
  #watchers = new Set<Watcher>()

  /** Requests with this JSON-RPC method, or with this HTTP method (GET, DELETE, OPTIONS). */
  of(method: string): LedgerEntry[] {
    return this.entries.filter((entry) => entry.method === method || (entry.httpMethod === method && method !== 'POST'))
  }

  count(method: string): number {
    return this.of(method).length
  }

  get initializes(): number {
    return this.count('initialize')
  }

  get gets(): number {
    return this.count('GET')
  }

  get deletes(): number {
    return this.count('DELETE')
  }

  /** Requests whose connection ended before their response did. */
  get disconnects(): LedgerEntry[] {
    return this.entries.filter((entry) => entry.disconnected)
  }

  executionsOf(tool: string): number {
    return this.executions.filter((execution) => execution.tool === tool).length
  }

  /** The largest number of runs that any one call had; calls are told apart by `arguments.mark`, else by request id. */
  mostExecutionsOfOneCall(): number {
    const runs = new Map<unknown, number>()
    let most = 0
    for (const { id, arguments: given } of this.executions) {
      const key = given['mark'] ?? id
      const count = (runs.get(key) ?? 0) + 1
      runs.set(key, count)
      most = Math.max(most, count)
    }
    return most
  }

  /** Resolves as soon as the test holds; rejects with what was awaited and what was seen. */
  until(test: () => boolean, what: string, withinMs = 60_000): Promise<void> {
    if (test()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#watchers.delete(watcher)
        const seen = this.entries.map((entry) => entry.method ?? entry.httpMethod).join(', ')
        reject(new Error(`The server did not see in ${withinMs} ms: ${what}. It saw: ${seen || 'nothing'}`))
      }, withinMs)
      const watcher: Watcher = {
        test,
        done: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      this.#watchers.add(watcher)
    })
  }

  untilCount(method: string, count: number, withinMs?: number): Promise<void> {
    return this.until(() => this.count(method) >= count, `${count} × ${method}`, withinMs)
  }

  changed(): void {
    for (const watcher of this.#watchers) {
      if (!watcher.test()) continue
      this.#watchers.delete(watcher)
      watcher.done()
    }
  }
}
