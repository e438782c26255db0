import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The program that opens an address in the user's browser; undefined where nobody could see it. */
function opener(): [string, ...string[]] | undefined {
  if (!process.stdout.isTTY || process.env['CI']) return undefined
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined
}

/**
 * Opens `url` in the browser if there is one. Other users of the machine can read the arguments of every process, so the
 * browser is given a file that only this user can read, and the file redirects to `url`. Returns what deletes the file.
 */
export function openBrowser(url: string): () => void {
  const [command, ...args] = opener() ?? []
  if (command === undefined) return () => {}
  const { file, remove } = writeRedirect(url)
  // The address has been printed, so a failure needs no message.
  const child = spawn(command, [...args, pathToFileURL(file).href], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
  return remove
}

/** Writes a page that redirects to `url`, readable by this user alone, in a folder that this user alone can enter. */
export function writeRedirect(url: string, parent = folderForBrowser()): { file: string; remove: () => void } {
  const folder = mkdtempSync(join(parent, 'switchboard-open-'))
  chmodSync(folder, 0o700)
  const file = join(folder, 'open.html')
  const target = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${target}"><title>Switchboard</title><a href="${target}">Open Switchboard</a>\n`
  writeFileSync(file, page, { mode: 0o600, flag: 'wx' })
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A browser that was installed as a snap sees neither the temporary folder nor hidden ones, so there it is the home folder. */
const folderForBrowser = (): string => (process.platform === 'linux' && existsSync('/snap/bin') ? homedir() : tmpdir())
