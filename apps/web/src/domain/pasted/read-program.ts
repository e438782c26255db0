import { addSentence, type PastedEntry, type PastedProgram, placeholderIn } from './entry.ts'
import { readAddress } from './read-address.ts'
import { readHeaders } from './read-headers.ts'

/** As much of a command as is shown; all of it stands in what goes to the companion. */
const MAX_LINE = 120

/** Takes over a program. One that only carries messages to an address is not needed: the app goes there itself. */
export function readProgram(entry: PastedEntry, program: PastedProgram): void {
  const address = bridgedAddress(program)
  if (address) {
    addSentence(entry.taken, 'What mcp-remote would connect to; it is not needed')
    readAddress(entry, address.url)
    readHeaders(entry, address.headers)
    if (Object.keys(program.env).length > 0) tellVariables(entry, program)
    return
  }
  entry.program = program
  const line = [program.command, ...program.args].join(' ')
  addSentence(entry.taken, `Command ${line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line}`)
  const variables = Object.keys(program.env).length
  if (variables > 0) addSentence(entry.taken, `${variables} variable${variables === 1 ? '' : 's'} of its environment`)
  tellVariables(entry, program)
  for (const part of [program.command, ...program.args, program.cwd ?? '']) {
    const placeholder = placeholderIn(part)
    if (placeholder !== undefined) addSentence(entry.needs, `Argument: ${placeholder}`)
  }
}

function tellVariables(entry: PastedEntry, { env }: PastedProgram): void {
  for (const [name, value] of Object.entries(env)) {
    const placeholder = value === '' ? 'a value' : placeholderIn(value)
    if (placeholder !== undefined) addSentence(entry.needs, `${name.slice(0, 60)}: ${placeholder}`)
  }
}

/** npx mcp-remote https://… --header "Name: value", as clients that know only programs are told to write it. */
function bridgedAddress({ command, args, env }: PastedProgram) {
  if (!/(^|[/\\])(npx|bunx|pnpx|cmd)(\.cmd|\.exe)?$/i.test(command)) return undefined
  const at = args.findIndex((arg) => /^mcp-remote(@[\w.-]+)?$/.test(arg))
  const url = args.slice(at + 1).find((arg) => /^https?:\/\//.test(arg))
  if (at < 0 || url === undefined) return undefined
  const headers = args.flatMap((arg, index): [string, string][] => {
    const [, name, value] = args[index - 1] === '--header' ? (/^([^:]{1,100}):\s*(.*)$/s.exec(arg) ?? []) : []
    return name === undefined || value === undefined ? [] : [[name, withVariables(value, env)]]
  })
  return { url, headers }
}

/** mcp-remote reads ${NAME} from the env beside it, which is a value and no wish. */
const withVariables = (value: string, env: Record<string, string>): string =>
  value.replace(/\$\{(\w{1,100})\}/g, (whole, name: string) =>
    Object.hasOwn(env, name) && env[name] ? env[name] : whole,
  )
