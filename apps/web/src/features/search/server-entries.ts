import type { CustomTool } from '#domain/custom-tool.ts'
import type { Server } from '#domain/server.ts'
import { placeOfTool } from '#lib/place-of-tool.ts'
import type { Entry } from './find-entries.ts'

const at = encodeURIComponent

/** The servers; of custom tools the tools are what one comes for. */
export const serverEntries = (servers: readonly Server[]): Entry[] =>
  servers.map(({ id, name, url, transport }) => ({
    id,
    group: 'Servers',
    icon: 'server',
    label: name,
    hint: transport === 'custom' ? 'custom tools' : url,
    to: `/servers/${at(id)}${transport === 'custom' ? '/custom' : ''}`,
  }))

/** What else there is of each server. */
export const placeEntries = (servers: readonly Server[]): Entry[] =>
  servers.flatMap(({ id, name, transport, found }) => {
    const offers = (what: string) => transport !== 'custom' && (found?.capabilities?.includes(what) ?? true)
    const place = { group: 'Of servers', hint: name } as const
    const all: Entry[] = [
      { ...place, id: `${id}:messages`, icon: 'chat', label: `Messages with ${name}`, to: `/messages/${at(id)}` },
    ]
    if (offers('prompts'))
      all.unshift({
        ...place,
        id: `${id}:prompts`,
        icon: 'edit',
        label: `Prompts of ${name}`,
        to: `/servers/${at(id)}/prompts`,
      })
    if (offers('resources'))
      all.unshift({
        ...place,
        id: `${id}:resources`,
        icon: 'archive',
        label: `Resources of ${name}`,
        to: `/servers/${at(id)}/resources`,
      })
    return all
  })

/** The tools of servers, to be tried, and those that the user described, to be edited. */
export function toolEntries(servers: readonly Server[], customTools: readonly CustomTool[]): Entry[] {
  const described = customTools.flatMap(({ id, serverId, name }): Entry[] => {
    const collection = servers.find((server) => server.id === serverId)
    if (!collection) return []
    const to = `/servers/${at(serverId)}/custom/${at(id)}`
    return [
      { id, group: 'Tools', icon: 'edit', label: name, hint: `custom tool of ${collection.name}, to be edited`, to },
    ]
  })
  const tried = servers.flatMap(({ id, name: server, found }) =>
    (found?.tools ?? []).map(
      ({ name, title }): Entry => ({
        id: `${id}:${name}`,
        group: 'Tools',
        icon: 'tool',
        label: title || name,
        hint: `${name} of ${server}`,
        to: placeOfTool(id, name),
      }),
    ),
  )
  return [...described, ...tried]
}
