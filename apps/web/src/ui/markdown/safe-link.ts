const OPENABLE = new Set(['https:', 'http:', 'mailto:'])

export interface SafeLink {
  href: string
  /** Who is at the other end, in the letters the network uses: look-alikes show as xn--. */
  host: string
}

/** Where an address of a stranger leads, if it is one that may be opened at all. */
export function safeLink(address: string): SafeLink | undefined {
  const url = URL.parse(address)
  if (!url || !OPENABLE.has(url.protocol)) return undefined
  return { href: url.href, host: url.protocol === 'mailto:' ? url.pathname : url.host }
}
