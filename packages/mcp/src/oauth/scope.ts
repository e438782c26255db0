const words = (scope: string | undefined): string[] => scope?.split(/\s+/).filter(Boolean) ?? []

/** All scopes of all lists, each once, in the order they first appear. */
export function unionOf(...scopes: (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap(words))
  return all.size > 0 ? [...all].join(' ') : undefined
}

/** Whether `granted` holds everything in `wanted`. */
export function covers(granted: string | undefined, wanted: string | undefined): boolean {
  const has = new Set(words(granted))
  return words(wanted).every((scope) => has.has(scope))
}
