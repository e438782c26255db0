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

/** Endings that are far more often those of a file than of a site. */
const FILE_ENDINGS = new Set(
  'md txt pdf html htm css js mjs cjs ts tsx jsx json yml yaml toml lock xml csv log py rb rs go sh java kt cpp cc cs php sql png jpg jpeg gif svg webp zip gz tar'.split(
    ' ',
  ),
)
const NAMED_HOST = /([a-z][a-z\d+.-]*:[/\\]*)?(?:[^\s/@]*@)?((?:[\p{L}\p{N}-]+[.。．｡])+(?:[\p{L}\p{N}-]{2,}|\d))/giu

/**
 * Whether a link looks as if it led elsewhere than it does: its text names another host, or a user name before the host can be
 * taken for one. It shouldn't be followed before the person has seen where it leads.
 */
export function isMisleading(text: string, { href, host }: SafeLink): boolean {
  const url = new URL(href)
  if (url.username !== '' || url.password !== '') return true
  const real = withoutWww(url.protocol === 'mailto:' ? host.slice(host.lastIndexOf('@') + 1) : url.hostname)
  return hostsNamedIn(text).some((named) => real !== named && !real.endsWith(`.${named}`))
}

function hostsNamedIn(text: string): string[] {
  return [...text.matchAll(NAMED_HOST)].flatMap(([, scheme, name = '']) => {
    const hostname = URL.parse(`https://${name}`)?.hostname
    if (hostname === undefined) return []
    const labels = hostname.split('.')
    const isFile = scheme === undefined && labels.length === 2 && FILE_ENDINGS.has(labels[1] ?? '')
    // 1.2 and 3.14.1 are numbers, not addresses.
    const isNumber = scheme === undefined && /^[\d.]+$/.test(name) && name.split('.').length < 4
    return isFile || isNumber ? [] : [withoutWww(hostname)]
  })
}

const withoutWww = (hostname: string): string => hostname.toLowerCase().replace(/^www\.|\.$/g, '')
