import type { ToolAnnotations } from '#domain/server.ts'

export interface Claims {
  /** What asks for care. */
  warnings: string[]
  /** What the server says to calm: no more than its word. */
  assurances: string[]
}

/** What a server says its tool does. A hint it does not give is no promise, and is told as such. */
export function claimsOf({ readOnly, destructive, idempotent, openWorld }: ToolAnnotations): Claims {
  const warnings = [
    destructive && !readOnly ? 'destructive' : '',
    openWorld ? 'talks to the outside world' : '',
    idempotent === false && !readOnly ? 'doing it twice is not the same as once' : '',
  ].filter(Boolean)
  const assurances = [
    readOnly ? 'read-only' : '',
    destructive === false && !readOnly ? 'not destructive' : '',
    openWorld === false ? 'stays inside its own world' : '',
  ].filter(Boolean)
  return { warnings, assurances }
}
