import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

const DEFAULT_PORT = '4114'

export const HELP = `Switchboard: the app, and the MCP servers of this machine.

  --port NUMBER    where the app is (${DEFAULT_PORT}); the relay is at the next number
  --config FILE    the list of local MCP servers
  --app FOLDER     another build of the app
  --no-open        do not open a browser
  --relay-loopback let the app reach every server of this machine through the relay`

export interface Options {
  port: number
  config: string | undefined
  app: string | undefined
  open: boolean
  relayLoopback: boolean
  help: boolean
}

/** What the command line says; throws an Error with the next step for what it cannot mean. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parse(args)
  const given = values.port ?? env['PORT'] ?? DEFAULT_PORT
  const port = Number(given)
  // The relay needs the next one.
  if (!/^\d+$/.test(given) || port > 65_534)
    throw new Error(`"${given}" is no port. Choose a number up to 65534: npm start -- --port ${DEFAULT_PORT}`)
  return {
    port,
    config: values.config === undefined ? undefined : resolve(values.config),
    app: values.app === undefined ? undefined : resolve(values.app),
    open: !values['no-open'],
    relayLoopback: values['relay-loopback'] === true,
    help: values.help === true,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string' },
        config: { type: 'string' },
        app: { type: 'string' },
        'no-open': { type: 'boolean' },
        'relay-loopback': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${HELP}`, { cause: error })
  }
}
