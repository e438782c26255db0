import type { Gpt } from '#domain/gpt.ts'
import type { Server } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'

/** "2 servers · 14 tools": what a GPT can use now, as far as its servers have told. */
export function toolsInWords({ tools }: Gpt, servers: readonly Server[]): string {
  const used = servers.filter(({ id, enabled }) => enabled && tools.serverIds.includes(id))
  if (used.length === 0) return 'no tools'
  const isOn = (serverId: string, toolName: string) =>
    !tools.disabledTools.some((off) => off.serverId === serverId && off.toolName === toolName)
  const count = used.flatMap(({ id, found }) =>
    (found?.tools ?? []).filter(
      ({ name, problem, modelMayCall }) => problem === undefined && modelMayCall !== false && isOn(id, name),
    ),
  ).length
  return `${plural(used.length, 'server')} · ${plural(count, 'tool')}`
}
