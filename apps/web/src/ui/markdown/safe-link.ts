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
  'md txt pdf html htm css js mjs cjs ts tsx jsx json yml yaml toml lock xml csv log rb go java kt cpp cs php sql png jpg jpeg gif svg webp gz tar'.split(
    ' ',
  ),
)
/** File endings under which anyone can register a site: `google.sh` is a file only in code or in a path. */
const FILE_OR_SITE_ENDINGS = new Set(['sh', 'zip', 'rs', 'py', 'cc'])

/** Letters of other scripts that look like a full stop and that Unicode doesn't normalise to one. */
const LOOKS_LIKE_DOT = /[\u0701\u0702\uA4F8\uA60E]/g

/** Any host after `scheme://`, together with the rest of that address. Lengths are limited to keep matching linear. */
const ADDRESS =
  /[a-z][a-z\d+.-]{0,30}:[/\\]{2,8}(?:[^\s/\\?#@]{0,100}@)?(?<host>\[[\da-f:.]{2,50}\]|[\p{L}\p{M}\p{N}_-]{1,63}(?:[.。][\p{L}\p{M}\p{N}_-]{1,63}){0,40})(?::\d{1,5})?(?:[/\\?#]\S*)?/u
/** A host with a dot, with or without a scheme before it. */
const DOTTED_HOST =
  /(?<scheme>[a-z][a-z\d+.-]{0,30}:[/\\]?)?(?:[^\s/@]{0,100}@)?(?<name>(?:[\p{L}\p{M}\p{N}-]{1,63}[.。]){1,40}(?:[\p{L}\p{M}\p{N}-]{2,63}|\d))/u
const NAMED_HOST = new RegExp(`${ADDRESS.source}|${DOTTED_HOST.source}`, 'giu')

/**
 * Whether a link looks as if it led elsewhere than it does: its text names another host, or a user name before the host can be
 * taken for one. It shouldn't be followed before the person has seen where it leads.
 */
export function isMisleading(text: string, { href, host }: SafeLink, isCode = false): boolean {
  const url = new URL(href)
  if (url.username !== '' || url.password !== '') return true
  const real = withoutWww(url.protocol === 'mailto:' ? host.slice(host.lastIndexOf('@') + 1) : url.hostname)
  return hostsNamedIn(text, isCode).some((named) => real !== named && !real.endsWith(`.${named}`))
}

function hostsNamedIn(written: string, isCode: boolean): string[] {
  const text = written.normalize('NFKC').replace(LOOKS_LIKE_DOT, '.')
  return [...text.matchAll(NAMED_HOST)].flatMap(({ index, 0: match, groups = {} }) => {
    const { host, scheme, name = '' } = groups
    const hostname = URL.parse(`https://${host ?? name}`)?.hostname
    if (hostname === undefined) return []
    if (host === undefined && scheme === undefined) {
      const isInPath = /[^/\\][/\\]$|^[/\\]$/.test(text.slice(Math.max(0, index - 2), index))
      const isBeforePath = /^[/\\]/.test(text.slice(index + match.length))
      if (isFileName(hostname, { isInPath, isBeforePath, isCode })) return []
      // 1.2 and 3.14.1 are numbers, not addresses.
      if (/^[\d.]+$/.test(name) && name.split('.').length < 4) return []
    }
    return [withoutWww(hostname)]
  })
}

/** Whether a name with one dot is more likely a file (`README.md`, `bin/install.sh`) than a site (`google.sh`, `bank.md/login`). */
function isFileName(
  name: string,
  { isInPath, isBeforePath, isCode }: { isInPath: boolean; isBeforePath: boolean; isCode: boolean },
): boolean {
  const [, ending = '', ...more] = name.split('.')
  if (more.length > 0 || (isBeforePath && !isInPath)) return false
  return FILE_ENDINGS.has(ending) || ((isInPath || isCode) && FILE_OR_SITE_ENDINGS.has(ending))
}

const withoutWww = (hostname: string): string => hostname.toLowerCase().replace(/^www\.|\.$/g, '')
