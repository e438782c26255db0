import { failed } from './answers.ts'
import { type Access, type GuardRules, refusal } from './guard.ts'
import { guest, KNOWN, type Site } from './listen.ts'
import { type AppFiles, serveApp } from './serve-app.ts'

/** Something that answers requests below a path. */
export type Answer = (request: Request, rest: string, gone: AbortSignal) => Promise<Response> | Response

export interface Route {
  readonly access: Access
  readonly answer: Answer
  /** How long the body of a request without the token may be, where a few KiB are too short. */
  readonly maxBodyBytes?: number
}

/** What is behind which path; a path ending in a slash stands for all below it. */
export type Routes = ReadonlyMap<string, Route>

/** The app and everything behind it, as one function from a request to its answer. */
export function createHandler(files: AppFiles, routes: Routes, rules: GuardRules, frames?: () => string): Site {
  const find = (path: string): [Route, string] | undefined => {
    for (const [prefix, route] of routes) {
      if (path === prefix || (prefix.endsWith('/') && path.startsWith(prefix)))
        return [route, path.slice(prefix.length)]
    }
    return undefined
  }
  return {
    admit({ method, headers }, path) {
      const route = find(path)?.[0]
      const access = route?.access ?? 'open'
      const why = refusal(method, headers, access, rules)
      if (why) return failed(why.status, why.words)
      return access === 'token' ? KNOWN : guest(route?.maxBodyBytes)
    },
    async answer(request, path, gone) {
      const found = find(path)
      if (found) return found[0].answer(request, found[1], gone)
      return atHome(request, path) ?? serveApp(files, request, path, frames?.())
    },
  }
}

/** Storage and passkeys belong to one name: a visit under another is led to it, and the browser takes the fragment along. */
function atHome({ headers, method, url }: Request, path: string): Response | undefined {
  if (path !== '/' || method !== 'GET' || headers.get('host')?.startsWith('localhost:')) return undefined
  return new Response(null, {
    status: 307,
    headers: { location: new URL(url).origin + path, 'cache-control': 'no-store' },
  })
}

/** The fields of a JSON body, and no others: nobody may believe that a field was heard which was not. */
export async function readFields(
  request: Request,
  known: readonly string[],
): Promise<Record<string, unknown> | Response> {
  let value: unknown
  try {
    const text = await request.text()
    value = text === '' ? {} : JSON.parse(text)
  } catch {
    return failed(400, 'The body is no JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failed(400, 'The body must be an object.')
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown === undefined) return value as Record<string, unknown>
  return failed(
    400,
    `There is no field ${JSON.stringify(unknown.slice(0, 50))} here${known.length > 0 ? `, only ${known.join(', ')}` : ''}.`,
  )
}
