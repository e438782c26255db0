import { failed, json, nothingHere } from './answers.ts'
import type { Supervisor } from './bridge/supervisor.ts'
import type { Config } from './config.ts'
import { readFields } from './handler.ts'

/** What the app may know of the local servers, and do to them: by name, never by command. */
export function createServersApi(supervisor: Supervisor, config: () => Config, file: string) {
  const list = (): Response => {
    const { missing, problem } = config()
    const hint =
      missing &&
      `There is no ${file} yet. Write one: { "mcpServers": { "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] } } }`
    return json({ servers: supervisor.list(), ...(problem !== undefined && { problem }), ...(hint && { hint }) })
  }
  return async (request: Request, rest: string): Promise<Response> => {
    if (rest === '') return request.method === 'GET' ? list() : failed(405, 'GET it.', { allow: 'GET' })
    const [name = '', deed = '', ...more] = rest.slice(1).split('/')
    if (!supervisor.has(name) || !['restart', 'stop'].includes(deed) || more.length > 0) return nothingHere()
    if (request.method !== 'POST') return failed(405, 'POST it.', { allow: 'POST' })
    const fields = await readFields(request, [])
    if (fields instanceof Response) return fields
    await (deed === 'stop' ? supervisor.stop(name) : supervisor.restart(name))
    return list()
  }
}
