import { createHash } from 'node:crypto'
import type { ServerSpec } from './config.ts'

/** Variables that choose which code runs; of all others only the names count, as their values are keys that people renew. */
const CHOOSES_CODE =
  /^(PATH|ENV|BASH_ENV|NODE_(OPTIONS|PATH)|LD_.+|DYLD_.+|PYTHON.+|RUBY(OPT|LIB)|PERL5(OPT|LIB)|JAVA_TOOL_OPTIONS|DOTNET_STARTUP_HOOKS)$/i

/** Which program an entry runs, so that who trusted it can tell when it is another. It tells nothing of the command itself. */
export function programDigest({ command, args, env, cwd }: ServerSpec): string {
  const names = Object.keys(env).toSorted()
  const variables = names.map((name) => (CHOOSES_CODE.test(name) ? [name, env[name]] : [name]))
  const text = JSON.stringify([command, args, cwd, variables])
  return `sha256-${createHash('sha256').update(text).digest('base64url')}`
}
