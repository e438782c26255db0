import type { SyntheticEvent, ReactNode } from 'react'
import type { Authentication, Server, ServerSecretField } from '#domain/server.ts'
import { SelectField, TextField, Tick } from '#ui/field.tsx'
import { useEngineState } from '#wiring/use-engine.ts'
import { addressProblem, type ServerDraft } from './server-draft.ts'
import styles from './servers.module.css'

interface FormProps {
  draft: ServerDraft
  server: Server | undefined
  change: (next: Partial<ServerDraft>) => void
  onSubmit: () => void
  children: ReactNode
}

export function ServerForm({ draft, server, change, onSubmit, children }: FormProps) {
  const hasCompanion = useEngineState((state) => state.companion === 'present')
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const isProgram = draft.transport === 'stdio'
  return (
    <form className={styles.form} onSubmit={submit} noValidate={isProgram}>
      {!isProgram && (
        <TextField
          label="Address"
          required
          inputMode="url"
          autoFocus={!server}
          value={draft.url}
          placeholder="https://example.com/mcp"
          error={addressProblem(draft.url)}
          onChange={(event) => change({ url: event.target.value.trim() })}
        />
      )}
      {!isProgram && <AuthenticationFields draft={draft} server={server} change={change} />}
      <details className={styles.details} open={server !== undefined}>
        <summary>Details</summary>
        <div className={styles.details}>
          <div className={styles.pair}>
            <TextField
              label="Name"
              maxLength={100}
              value={draft.name}
              placeholder="What it calls itself"
              onChange={(event) => change({ name: event.target.value })}
            />
            <TextField
              label="Description"
              maxLength={500}
              value={draft.description}
              onChange={(event) => change({ description: event.target.value })}
            />
          </div>
          <div className={styles.pair}>
            <TextField
              label="Time-out in seconds"
              type="number"
              min={1}
              max={300}
              value={draft.timeoutSeconds}
              onChange={(event) => change({ timeoutSeconds: Number(event.target.value) })}
            />
            <TextField
              label="Retries"
              hint="Of what is safe to repeat; never of a tool that may have run"
              type="number"
              min={0}
              max={5}
              value={draft.retries}
              onChange={(event) => change({ retries: Number(event.target.value) })}
            />
          </div>
          {hasCompanion && !isProgram && (
            <Tick
              label="Reach it through the companion"
              hint="For servers that do not answer web pages (CORS). The companion passes on what you send to this address, and nothing else."
              checked={draft.relay}
              onChange={(relay) => change({ relay })}
            />
          )}
          <Tick
            label="Believe what it says of its tools"
            hint="With “Ask unless trusted”, tools that it calls read-only then run without asking."
            checked={draft.trusted}
            onChange={(trusted) => change({ trusted })}
          />
          <Tick label="Switched on" checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
        </div>
      </details>
      {children}
    </form>
  )
}

const FRESH: Record<Authentication['type'], Authentication> = {
  none: { type: 'none' },
  bearer: { type: 'bearer' },
  'api-key': { type: 'api-key', header: 'x-api-key' },
  basic: { type: 'basic', user: '' },
  oauth2: { type: 'oauth2' },
}

function AuthenticationFields({ draft, server, change }: Pick<FormProps, 'draft' | 'server' | 'change'>) {
  const { authentication } = draft
  const secret = (field: ServerSecretField, label: string) => (
    <TextField
      label={label}
      type="password"
      autoComplete="off"
      spellCheck={false}
      value={draft.secrets[field] ?? ''}
      // Only what the user typed just now is here; what is stored stays in the vault.
      placeholder={server?.authentication.type === authentication.type ? 'stored; type to replace it' : ''}
      hint="Kept in the vault, sent to this server only, and never shown again."
      onChange={(event) => change({ secrets: { ...draft.secrets, [field]: event.target.value } })}
    />
  )
  return (
    <>
      <SelectField
        label="Authentication"
        value={authentication.type}
        onChange={(event) =>
          change({ authentication: FRESH[event.target.value as Authentication['type']], secrets: {} })
        }
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
