import { spawn } from 'node:child_process'

/** The program that opens an address in the user's browser; undefined where there is nobody to look. */
function opener() {
  if (!process.stdout.isTTY || process.env.CI) return undefined
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/**
 * Opens the address in a browser if there is one. The address has been printed: a failure needs no word.
 * @param {string} url
 */
export function openBrowser(url) {
  const [command, ...args] = opener() ?? []
  if (command === undefined) return
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
