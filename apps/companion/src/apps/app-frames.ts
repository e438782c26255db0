import { randomBytes } from 'node:crypto'
import { failed, json, nothingHere, SAFE_HEADERS } from '../answers.ts'
import { hostsOf } from '../guard.ts'
import { readFields } from '../handler.ts'
import { guest, type Site } from '../listen.ts'
import { type AppDomains, appPolicy, domainProblem } from './app-policy.ts'
import { OUTER_PAGE, outerPolicy } from './outer-page.ts'

const PREFIX = '/apps/'
const MAX_BYTES = 4 << 20
/** So many can be waiting to be shown; of more, the oldest no longer is. */
const WAITING = 8
const PATIENCE_MS = 60_000

interface Screen {
  readonly html: string
  readonly domains: AppDomains
  /** What is fetched next: the page of ours around it, then the stranger's in it, each once. */
  next: '' | 'content'
  readonly timer: NodeJS.Timeout
}

/** Screens that servers brought along: handed in by the app, and shown once, on another origin than the app's. */
export function createAppFrames(origin: () => string) {
  const screens = new Map<string, Screen>()
  const forget = (id: string): void => {
    clearTimeout(screens.get(id)?.timer)
    screens.delete(id)
  }

  return {
    /** For the app: takes a page, and says where it can be shown. */
    async register(request: Request): Promise<Response> {
      if (request.method !== 'POST') return failed(405, 'POST it.', { allow: 'POST' })
      const fields = await readFields(request, ['html', 'connect', 'resources', 'frames'])
      if (fields instanceof Response) return fields
      const { html, connect = [], resources = [], frames = [] } = fields
      if (typeof html !== 'string') return failed(400, 'There is no page.')
      if (Buffer.byteLength(html) > MAX_BYTES) return failed(413, `A screen may have up to ${MAX_BYTES} bytes.`)
      const problem = [connect, resources, frames].map(domainProblem).find((one) => one !== undefined)
      if (problem !== undefined) return failed(400, problem)
      const [oldest] = screens.keys()
      if (screens.size >= WAITING && oldest !== undefined) forget(oldest)
      const id = randomBytes(32).toString('base64url')
      const timer = setTimeout(() => forget(id), PATIENCE_MS).unref()
      screens.set(id, { html, domains: { connect, resources, frames } as AppDomains, next: '', timer })
      return json({ url: `${origin()}${PREFIX}${id}/` })
    },

    /** Shows them at the port of the relay, which goes on with everything else. `app`: the pages that may show one. */
    beside(relay: Site, port: number, app: readonly string[]): Site {
      const show = (path: string): Response => {
        const [id = '', part = '', ...more] = path.slice(PREFIX.length).split('/')
        const screen = screens.get(id)
        if (!screen || part !== screen.next || more.length > 0) return nothingHere()
        if (part === 'content') {
          forget(id)
          return page(screen.html, appPolicy(screen.domains))
        }
        screen.next = 'content'
        return page(OUTER_PAGE, outerPolicy(`${origin()}${PREFIX}${id}/`, app))
      }
      return {
        admit(request, path) {
          if (!path.startsWith(PREFIX)) return relay.admit(request, path)
          const { method, headers } = request
          if (!hostsOf(port).includes(headers.get('host') ?? '')) return failed(421, 'This is not our name.')
          if (method !== 'GET') return failed(405, 'This is a page: GET it.', { allow: 'GET' })
          // In a frame of ours, and nowhere else: not as a page of its own, a script, or a service worker.
          const dest = headers.get('sec-fetch-dest')
          // The page around it is in a sandbox: what it asks for comes from an origin without a name.
          const isOurs = headers.get('origin') === null || (headers.get('origin') === 'null' && dest === 'iframe')
          return isOurs && (dest === null || dest === 'iframe')
            ? guest()
            : failed(403, 'This is shown in a frame of the app only.')
        },
        answer: (request, path, gone) =>
          path.startsWith(PREFIX) ? Promise.resolve(show(path)) : relay.answer(request, path, gone),
      }
    },

    close(): void {
      for (const id of screens.keys()) forget(id)
    },
  }
}

const page = (html: string, policy: string): Response =>
  new Response(html, {
    headers: {
      ...SAFE_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cross-origin-resource-policy': 'cross-origin',
      // Names that a page only speaks of would be looked up, and so be told.
      'x-dns-prefetch-control': 'off',
      'permissions-policy':
        'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=(), clipboard-read=(), display-capture=()',
    },
  })
