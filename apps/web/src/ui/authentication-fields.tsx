import type { ReactNode } from 'react'
import type { Authentication, ServerSecretField, ServerSecrets } from '#domain/server.ts'
import styles from './authentication-fields.module.css'
import { SelectField, TextField } from './field.tsx'
import { FRESH_AUTHENTICATION } from './fresh-authentication.ts'

/** How somebody shows who they are: none, a token, a key, a password; with `canSignIn` also by signing in. */
export function AuthenticationFields({
  authentication,
  secrets,
  sentTo,
  isStored = false,
  canSignIn = false,
  change,
  children,
}: {
  authentication: Authentication
  /** Only what the user typed just now; what is stored stays in the vault. */
  secrets: ServerSecrets
  /** Whom secrets are sent to, in words. */
  sentTo: string
  isStored?: boolean
  canSignIn?: boolean
  change: (next: { authentication?: Authentication; secrets?: ServerSecrets }) => void
  /** What signing in needs. */
  children?: ReactNode
}) {
  const secret = (field: ServerSecretField, label: string) => (
    <TextField
      label={label}
      type="password"
      spellCheck={false}
      value={secrets[field] ?? ''}
      placeholder={isStored ? 'stored; type to replace it' : ''}
      hint={`Kept in the vault, sent to ${sentTo} only, and never shown again.`}
      onChange={(event) => change({ secrets: { ...secrets, [field]: event.target.value } })}
    />
  )
  return (
    <>
      <SelectField
        label="Authentication"
        value={authentication.type}
        onChange={(event) =>
          change({ authentication: FRESH_AUTHENTICATION[event.target.value as Authentication['type']], secrets: {} })
        }
      >
        {canSignIn && <option value="auto">Find out by itself</option>}
        <option value="none">None</option>
        <option value="bearer">Bearer token</option>
        <option value="api-key">API key in a header</option>
        <option value="basic">User and password</option>
        {canSignIn && <option value="oauth2">Sign-in (OAuth)</option>}
      </SelectField>
      {children}
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
