import type { FoundServer, Server } from '#domain/server.ts'
import type { IconName } from '#ui/icon.tsx'

interface Place {
  label: string
  icon: IconName
  to: string
}

/** The screens about one server. One that says it has no resources or no prompts has no screen for them. */
export function placesOf({ id, transport }: Server, found: FoundServer | undefined): Place[] {
  const at = encodeURIComponent(id)
  const tools: Place = { label: 'Try its tools', icon: 'play', to: `/tools/${at}` }
  const messages: Place = { label: 'Messages with it', icon: 'chat', to: `/messages/${at}` }
  // What the user described is changed by nobody else, and offers nothing but tools.
  if (transport === 'custom') return [tools, messages]
  const offers = (what: string) => found?.capabilities?.includes(what) ?? true
  const kinds: Place[] = [
    { label: 'Browse its resources', icon: 'archive', to: `/servers/${at}/resources` },
    { label: 'Browse its prompts', icon: 'edit', to: `/servers/${at}/prompts` },
  ]
  return [
    tools,
    ...kinds.filter(({ to }) => offers(to.slice(to.lastIndexOf('/') + 1))),
    { label: 'Changes of its tools', icon: 'refresh', to: `/servers/${at}/changes` },
    messages,
  ]
}
