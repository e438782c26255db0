import process from 'node:process'

// What programs need to run at all. Everything else in the environment may be a secret, and a server is a stranger.
const UNIX = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']
const WINDOWS = [
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
]

/** The environment of a server: what it needs to run, and what it is given. */
export function childEnvironment(given: Record<string, string> = {}): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of process.platform === 'win32' ? WINDOWS : UNIX) {
    const value = process.env[name]
    // A shell function in a variable is code.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  return { ...environment, ...given }
}
