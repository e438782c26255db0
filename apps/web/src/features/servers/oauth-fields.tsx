import type { Server } from '#domain/server.ts'
import { Choices, SelectField, TextArea, TextField } from '#ui/field.tsx'
import type { ServerDraft } from './server-draft.ts'
import styles from './servers.module.css'

type OAuth = Extract<Server['authentication'], { type: 'oauth2' }>
type Proof = 'none' | 'secret' | 'key'

const ALGORITHMS: NonNullable<OAuth['algorithm']>[] = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512']
const FLOWS = [
  { value: 'person', label: 'I sign in', hint: 'A window of who signs you in opens. This is what most servers want.' },
  {
    value: 'program',
    label: 'This app signs in by itself',
    hint: 'With a client id and a secret or key that the server’s operator gave you. Nobody is asked.',
  },
] as const

/** How somebody signs in, for servers where finding out by itself is not enough. */
export function OAuthFields({
  draft,
  server,
  change,
}: {
  draft: ServerDraft
  server: Server | undefined
  change: (next: Partial<ServerDraft>) => void
}) {
  if (draft.authentication.type !== 'oauth2') return null
  const authentication = draft.authentication
  const { flow = 'person', clientId = '', clientMetadataUrl = '', algorithm, scopes = '' } = authentication
  const isStored = server?.authentication.type === 'oauth2' && server.authentication.clientId === clientId
  const set = (next: { [Field in keyof OAuth]?: OAuth[Field] | undefined }) => {
    const all = { ...authentication, ...next }
    // What is empty is not there: an empty client id would be sent as one.
    const filled = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '' && value !== undefined))
    change({ authentication: filled as OAuth })
  }
  const setSecrets = (secrets: ServerDraft['secrets']) => change({ secrets: { ...draft.secrets, ...secrets } })
  const proof: Proof = algorithm ? 'key' : 'secret'
  return (
    <>
      <Choices legend="Who signs in" value={flow} choices={FLOWS} onChange={(value) => set({ flow: value })} />
      <div className={styles.pair}>
        <TextField
          label="Client id"
          required={flow === 'program'}
          value={clientId}
          spellCheck={false}
          hint={flow === 'person' ? 'Leave it empty to let this app register itself.' : undefined}
          onChange={(event) => set({ clientId: event.target.value.trim() })}
        />
        {flow === 'person' && clientId === '' ? (
          <TextField
            label="Address of a client document"
            inputMode="url"
            value={clientMetadataUrl}
            spellCheck={false}
            placeholder="https://…"
            hint="If you publish one that describes this app (client ID metadata document)."
            onChange={(event) => set({ clientMetadataUrl: event.target.value.trim() })}
          />
        ) : (
          <SelectField
            label="The client proves itself with"
            value={algorithm ?? proof}
            onChange={({ target: { value } }) => {
              set({ algorithm: value === 'secret' ? undefined : (value as OAuth['algorithm']) })
              change({ secrets: {} })
            }}
          >
            <option value="secret">{flow === 'person' ? 'a secret, or nothing' : 'a secret'}</option>
            {ALGORITHMS.map((name) => (
              <option key={name} value={name}>
                a private key, {name}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {clientId !== '' && proof === 'secret' && (
        <TextField
          label="Client secret"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={draft.secrets.clientSecret ?? ''}
          placeholder={isStored ? 'stored; type to replace it' : ''}
          hint="Kept in the vault, and sent to one place only: where people sign in for this server the first time it is used."
          onChange={(event) => setSecrets({ clientSecret: event.target.value })}
        />
      )}
      {clientId !== '' && proof === 'key' && (
        <TextArea
          label="Private key"
          rows={4}
          autoComplete="off"
          spellCheck={false}
          value={draft.secrets.privateKey ?? ''}
          placeholder={isStored ? 'stored; paste to replace it' : '-----BEGIN PRIVATE KEY-----'}
          hint="PEM (PKCS #8) or a JWK. It signs in the engine, stays in the vault, and is sent to nobody."
          onChange={(event) => setSecrets({ privateKey: event.target.value })}
        />
      )}
      <TextField
        label="Scopes"
        value={scopes}
        spellCheck={false}
        placeholder="as the server says"
        hint="Asked for where the server does not name any; with spaces between them."
        onChange={(event) => set({ scopes: event.target.value })}
      />
    </>
  )
}
