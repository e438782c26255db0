import { lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const OTHERS_MAY_WRITE = 0o022
const STICKY = 0o1000

/**
 * Why users other than `uid` (and root) could change what `file` says: they own it or may write it, or they could put another
 * one in its place because of a folder above it. Undefined where they cannot. `file` must exist.
 */
export function othersMayWrite(file: string, uid = process.getuid?.()): string | undefined {
  // Windows has no such bits: there the profile folder is private to its user.
  if (uid === undefined || process.platform === 'win32') return undefined
  const isForeign = (path: string): boolean =>
    [lstatSync(path), statSync(path)].some((stat) => stat.uid !== uid && stat.uid !== 0)
  if (isForeign(file)) return `${file} belongs to another user, who could run programs as you. Make it your own: chown`
  if (statSync(file).mode & OTHERS_MAY_WRITE)
    return `${file}: other users may write it, and could run programs as you: chmod go-w ${quote(file)}`
  const folders = foldersAbove(file)
  const foreign = folders.find(isForeign)
  if (foreign !== undefined)
    return `${file} is in ${foreign}, which belongs to another user, who could put another file in its place. Move it to a folder of your own.`
  // In a sticky folder, such as /tmp, others cannot rename or delete what is yours.
  const open = folders.filter((folder) => {
    const { mode } = statSync(folder)
    return mode & OTHERS_MAY_WRITE && !(mode & STICKY)
  })
  if (open.length === 0) return undefined
  return `${file} is in a folder that other users may write, so they could put another file in its place: chmod go-w ${open.map(quote).join(' ')}`
}

/** Every folder on the way to the file: as its path is written, and where each symbolic link on it leads. */
function foldersAbove(file: string): string[] {
  const found = new Set<string>()
  const climb = (path: string): void => {
    for (let folder = dirname(path); !found.has(folder); folder = dirname(folder)) {
      found.add(folder)
      if (lstatSync(folder).isSymbolicLink()) climb(realpathSync(folder))
    }
  }
  climb(resolve(file))
  climb(realpathSync(file))
  return [...found]
}

const quote = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
