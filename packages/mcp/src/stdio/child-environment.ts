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
export function childEnvironment(
  given: Record<string, string> = {},
  { env, platform }: Pick<NodeJS.Process, 'env' | 'platform'> = process,
): Record<string, string> {
  const environment: Record<string, string> = {}
  const windows = platform === 'win32'
  // On Windows `Path` and `PATH` are one variable, and of two the wrong one may win.
  const named = new Set(Object.keys(given).map((name) => (windows ? name.toUpperCase() : name)))
  for (const name of windows ? WINDOWS : UNIX) {
    const value = env[name]
    // A shell function in a variable is code.
    if (value !== undefined && !value.startsWith('()') && !named.has(name)) environment[name] = value
  }
  return { ...environment, ...given }
}
