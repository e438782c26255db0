import type { JsonObject, JsonRpcNotification } from '@switchboard/mcp'
import { isObject } from './json-rpc.ts'
import type { Wire } from './wire.ts'

const MAX_PAGES = 20

/** Which tools of a program run only as tasks: it says so in its list, and a call that only tried might run in vain. */
export interface ToolTasks {
  isNeeded(name: unknown): Promise<boolean>
  hear(message: JsonRpcNotification): void
}

export function createToolTasks(wire: Wire): ToolTasks {
  let known: Promise<ReadonlySet<unknown>> | undefined
  return {
    isNeeded: async (name) => (await (known ??= listNeeded(wire))).has(name),
    hear({ method }) {
      if (method === 'notifications/tools/list_changed') known = undefined
    },
  }
}

async function listNeeded(wire: Wire): Promise<ReadonlySet<unknown>> {
  const needed = new Set<unknown>()
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await wire.request('tools/list', cursor === undefined ? {} : { cursor })
    const { tools, nextCursor } = 'result' in answer ? answer.result : ({} as JsonObject)
    for (const tool of Array.isArray(tools) ? (tools as unknown[]) : [])
      if (isObject(tool) && isObject(tool['execution']) && tool['execution']['taskSupport'] === 'required')
        needed.add(tool['name'])
    cursor = nextCursor
    if (typeof cursor !== 'string') break
  }
  return needed
}
