import { baseFault } from '#domain/custom-tool-address.ts'
import type { Authentication, ServerSecretField, ServerSecrets } from '#domain/server.ts'
import { SelectField, TextField } from '#ui/field.tsx'
import type { ServerInput } from '#wiring/commands.ts'
import styles from './custom-tools.module.css'

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

const FRESH = {
  none: { type: 'none' },
  bearer: { type: 'bearer' },
  'api-key': { type: 'api-key', header: 'x-api-key' },
  basic: { type: 'basic', user: '' },
} as const satisfies Partial<Record<Authentication['type'], Authentication>>

export const collectionFault = ({ name, url }: CollectionDraft): string | undefined =>
  name.trim() === '' ? 'Give the collection a name.' : url === '' ? undefined : baseFault(url)

export function CollectionFields({
  draft,
  change,
}: {
  draft: CollectionDraft
  change: (next: Partial<CollectionDraft>) => void
}) {
  const { authentication } = draft
  const secret = (field: ServerSecretField, label: string) => (
    <TextField
      label={label}
      type="password"
      spellCheck={false}
      value={draft.secrets[field] ?? ''}
      hint="Kept in the vault, sent to the base address only, and never shown again."
      onChange={(event) => change({ secrets: { [field]: event.target.value } })}
    />
  )
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
      <SelectField
        label="Authentication"
        value={authentication.type}
        onChange={(event) => change({ authentication: FRESH[event.target.value as keyof typeof FRESH], secrets: {} })}
      >
        <option value="none">None</option>
        <option value="bearer">Bearer token</option>
        <option value="api-key">API key in a header</option>
        <option value="basic">User and password</option>
      </SelectField>
      {authentication.type === 'bearer' && secret('token', 'Token')}
      {authentication.type === 'api-key' && (
        <div className={styles.pair}>
          <TextField
            label="Header"
            value={authentication.header}
            onChange={(event) => change({ authentication: { ...authentication, header: event.target.value.trim() } })}
          />
          {secret('key', 'Key')}
        </div>
      )}
      {authentication.type === 'basic' && (
        <div className={styles.pair}>
          <TextField
            label="User"
            value={authentication.user}
            onChange={(event) => change({ authentication: { ...authentication, user: event.target.value } })}
          />
          {secret('password', 'Password')}
        </div>
      )}
    </>
  )
}
