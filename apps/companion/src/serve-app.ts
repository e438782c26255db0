import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { failed, nothingHere } from './answers.ts'
import { fileHeaders, policyOf } from './page-policy.ts'

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.webmanifest', 'application/manifest+json'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.wasm', 'application/wasm'],
])
const PACKED_ALREADY = new Set(['.png', '.ico', '.woff2'])
const CALLBACK = '/oauth/callback'

type Encoding = 'br' | 'gzip' | 'identity'

interface AppFile {
  readonly headers: Record<string, string>
  readonly etag: string
  readonly bodies: ReadonlyMap<Encoding, Uint8Array<ArrayBuffer>>
}

/** The files of the app, by address. */
export type AppFiles = ReadonlyMap<string, AppFile>

/** Reads the built app, once: a path that is not in here leads nowhere, whatever its dots. */
export function readAppFiles(folder: string): AppFiles {
  const files = new Map<string, AppFile>()
  if (existsSync(folder)) addFolder(files, folder, '/')
  const index = files.get('/index.html')
  if (!index) throw new Error('The app is not built yet. Build it: npm run build')
  files.set('/', index)
  files.set(CALLBACK, files.get(`${CALLBACK}.html`) ?? index)
  return files
}

function addFolder(files: Map<string, AppFile>, folder: string, prefix: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue
    const file = join(folder, entry.name)
    if (entry.isDirectory()) addFolder(files, file, `${prefix}${entry.name}/`)
    const type = TYPES.get(extname(entry.name))
    // A symbolic link is no file here: it could lead anywhere.
    if (entry.isFile() && type !== undefined)
      files.set(prefix + entry.name, readAppFile(file, prefix + entry.name, type))
  }
}

function readAppFile(file: string, path: string, type: string): AppFile {
  const body = readFileSync(file)
  const bodies = new Map<Encoding, Uint8Array<ArrayBuffer>>()
  if (!PACKED_ALREADY.has(extname(file))) {
    bodies.set('br', brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
    bodies.set('gzip', gzipSync(body))
  }
  bodies.set('identity', body)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return {
    headers: { ...fileHeaders(path), 'content-type': type, vary: 'accept-encoding, sec-fetch-dest', etag },
    etag,
    bodies,
  }
}

/** A file of the app, in the shortest form that the browser takes. */
export function serveApp(files: AppFiles, { method, headers }: Request, path: string, frames?: string): Response {
  const file = files.get(path)
  if (!file) return nothingHere()
  if (method !== 'GET' && method !== 'HEAD') return failed(405, 'This is a file: GET it.', { allow: 'GET, HEAD' })
  const policed = { ...file.headers, 'content-security-policy': policyOf(path, frames, headers.get('sec-fetch-dest')) }
  if (headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers: policed })
  const encoding = chooseEncoding(headers.get('accept-encoding') ?? '', file)
  const body = file.bodies.get(encoding) ?? new Uint8Array()
  return new Response(method === 'HEAD' ? null : body, {
    headers: {
      ...policed,
      'content-length': String(body.length),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    },
  })
}

function chooseEncoding(accepted: string, { bodies }: AppFile): Encoding {
  const names = accepted.split(',').map((part) => part.trim().split(';', 1)[0])
  for (const encoding of ['br', 'gzip'] as const) if (names.includes(encoding) && bodies.has(encoding)) return encoding
  return 'identity'
}
