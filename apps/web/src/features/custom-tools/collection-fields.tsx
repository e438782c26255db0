import { baseFault } from '#domain/custom-tool-address.ts'
import type { Authentication, ServerSecrets } from '#domain/server.ts'
import { AuthenticationFields } from '#ui/authentication-fields.tsx'
import { TextField } from '#ui/field.tsx'
import type { ServerInput } from '#wiring/commands.ts'

/** What is said of a collection when it is made; the rest is in its settings. */
export interface CollectionDraft {
  name: string
  url: string
  authentication: Authentication
  secrets: ServerSecrets
}

export const freshCollection = (): CollectionDraft => ({
  name: '',
  url: '',
  authentication: { type: 'none' },
  secrets: {},
})

export const serverOf = ({ name, url, authentication }: CollectionDraft): ServerInput => ({
  name: name.trim(),
  description: '',
  transport: 'custom',
  url,
  authentication,
  timeoutSeconds: 30,
  retries: 3,
  relay: false,
  trusted: false,
  enabled: true,
})

export const collectionFault = ({ name, url }: CollectionDraft): string | undefined =>
  name.trim() === '' ? 'Give the collection a name.' : url === '' ? undefined : baseFault(url)

export function CollectionFields({
  draft,
  change,
}: {
  draft: CollectionDraft
  change: (next: Partial<CollectionDraft>) => void
}) {
  return (
    <>
      <TextField
        label="Name of the collection"
        required
        maxLength={100}
        value={draft.name}
        placeholder="Our shop"
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label="Base address"
        inputMode="url"
        spellCheck={false}
        value={draft.url}
        placeholder="https://api.example.com/v1"
        error={draft.url === '' ? undefined : baseFault(draft.url)}
        hint="Where the API is. Keys are sent to this origin, and to no other."
        onChange={(event) => change({ url: event.target.value.trim() })}
      />
      <AuthenticationFields {...draft} sentTo="the base address" change={change} />
    </>
  )
}
