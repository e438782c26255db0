const COMMON = [
  "default-src 'none'",
  "script-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types switchboard',
]

/** The page only draws; its engine connects. A script that got into the page has nowhere to send what it reads. */
const PAGE = [
  ...COMMON,
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'none'",
  "worker-src 'self'",
  "manifest-src 'self'",
]

/** The engine talks to the servers that its user named, and shows nothing. */
const ENGINE = [...COMMON, "connect-src 'self' https: http://localhost:* http://127.0.0.1:*"]

/** Files whose names stay, because the page starts them by name; every other asset has its hash in its name. */
const WORKERS = new Map([
  ['/assets/engine.js', ENGINE],
  // Checks what strangers wrote, and needs nobody for it.
  ['/assets/schema-worker.js', COMMON],
  // Reads OpenAPI documents, and has no network access.
  ['/assets/openapi-worker.js', COMMON],
])

/** Where the browser would show a file instead of running it. */
const SHOWN = new Set(['document', 'iframe', 'frame', 'object', 'embed', 'fencedframe'])

/**
 * The policy of a file. `frames`: where screens of servers are shown, and the only place that a frame may ever be at.
 * `destination`: what the browser wants the file for. A worker's file that is opened as a window gets no rights at all,
 * because a script in the page could otherwise connect from that window under the engine's policy.
 */
export function policyOf(path: string, frames?: string, destination?: string | null): string {
  if (WORKERS.has(path) && SHOWN.has(destination ?? '')) return "default-src 'none'; frame-ancestors 'none'; sandbox"
  const rules = WORKERS.get(path) ?? (frames === undefined ? PAGE : [...PAGE, `frame-src ${frames}`])
  return rules.join('; ')
}

/** The other headers that every file of the app is served with. */
export function fileHeaders(path: string): Record<string, string> {
  return {
    // Tells a page that was opened without a code that it could have one.
    'x-switchboard-companion': '1',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()',
    'cache-control':
      path.startsWith('/assets/') && !WORKERS.has(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}
