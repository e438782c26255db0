import { type ReactNode, type SyntheticEvent, useState } from 'react'
import type { Server } from '#domain/server.ts'
import { AuthenticationFields } from '#ui/authentication-fields.tsx'
import { TextField, Tick } from '#ui/field.tsx'
import { useEngineState } from '#wiring/use-engine.ts'
import { HeaderRows } from './header-rows.tsx'
import { OAuthFields } from './oauth-fields.tsx'
import { addressProblem, type ServerDraft } from './server-draft.ts'
import styles from './servers.module.css'
import type { Identity } from './use-server-editor.ts'

interface FormProps {
  draft: ServerDraft
  server: Server | undefined
  change: (next: Partial<ServerDraft>) => void
  identity: Identity
  onSubmit: () => void
  /** Of a server that is being added: the fields are folded away, and the address stands above them. */
  fold?: { isOpen: boolean; hasAddress: boolean }
  children: ReactNode
}

export function ServerForm({ draft, server, change, identity, onSubmit, fold, children }: FormProps) {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const authentication = <AuthenticationPart draft={draft} server={server} change={change} identity={identity} />
  // What the server just asked for must not be folded away.
  const isAbove = fold !== undefined && identity.isWanted
  const fields = (
    <Fields draft={draft} change={change} isAddressElsewhere={fold?.hasAddress === true}>
      {!isAbove && authentication}
    </Fields>
  )
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {isAbove && authentication}
      {fold ? (
        <details className={styles.details} open={fold.isOpen}>
          <summary>Details</summary>
          {fields}
        </details>
      ) : (
        fields
      )}
      {/* Below, buttons first: what is found must not move what somebody is about to click. */}
      {children}
    </form>
  )
}

function Fields({
  draft,
  change,
  isAddressElsewhere,
  children,
}: Pick<FormProps, 'draft' | 'change' | 'children'> & { isAddressElsewhere: boolean }) {
  const hasCompanion = useEngineState((state) => state.companion === 'present')
  const isProgram = draft.transport === 'stdio'
  const isCustom = draft.transport === 'custom'
  return (
    <div className={styles.details}>
      {!isProgram && !isAddressElsewhere && (
        <TextField
          label={isCustom ? 'Base address' : 'Address'}
          required={!isCustom}
          hint={
            isCustom &&
            'Keys and extra headers are sent to this origin, and to no other. Each tool has an address of its own.'
          }
          inputMode="url"
          value={draft.url}
          placeholder={isCustom ? 'https://api.example.com' : 'https://example.com/mcp'}
          error={addressProblem(draft.url)}
          onChange={(event) => change({ url: event.target.value.trim() })}
        />
      )}
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
      <p className={styles.soft}>
        {isProgram
          ? `Transport: a program of this computer, “${draft.companionName ?? ''}” in the companion’s file.`
          : isCustom
            ? 'Transport: none. These are tools that you described, each a request to its own address.'
            : 'Transport: Streamable HTTP. Servers that know only the older HTTP+SSE are found out by themselves.'}
      </p>
      {children}
      {!isProgram && <HeaderRows rows={draft.headers} change={(headers) => change({ headers })} />}
      <div className={styles.pair}>
        <NumberField
          label="Time-out in seconds"
          min={1}
          max={300}
          value={draft.timeoutSeconds}
          onChange={(timeoutSeconds = 30) => change({ timeoutSeconds })}
        />
        <NumberField
          label="Retries"
          hint="Of what is safe to repeat; never of a tool that may have run"
          min={0}
          max={5}
          value={draft.retries}
          onChange={(retries = 3) => change({ retries })}
        />
        <NumberField
          label="Requests per minute"
          hint="More than that wait for their turn. Empty: no limit"
          min={1}
          max={6000}
          value={draft.requestsPerMinute}
          onChange={(requestsPerMinute) => change({ requestsPerMinute })}
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
        label="Trust this server"
        hint="Its content in a chat then makes no other tool ask, and with “Ask unless trusted” the tools it calls read-only run without asking."
        checked={draft.trusted}
        onChange={(trusted) => change({ trusted })}
      />
      {!isCustom && (
        <Tick
          label="Let it ask your model"
          hint="In the middle of a call it may then ask for an answer of your model, at your cost. You see every question before it is put and every answer before it is sent. Off, it cannot ask at all."
          checked={draft.sampling === true}
          onChange={(sampling) => change({ sampling })}
        />
      )}
      <Tick label="Switched on" checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
    </div>
  )
}

function AuthenticationPart({
  draft,
  server,
  change,
  identity,
}: Pick<FormProps, 'draft' | 'server' | 'change' | 'identity'>) {
  if (draft.transport === 'stdio') return null
  const { authentication } = identity
  return (
    <AuthenticationFields
      authentication={authentication}
      secrets={draft.secrets}
      sentTo="this server"
      isStored={server?.authentication.type === authentication.type}
      canSignIn={draft.transport !== 'custom'}
      change={identity.change}
    >
      <OAuthFields draft={draft} server={server} change={change} />
    </AuthenticationFields>
  )
}

/** A whole number, or nothing. What is out of bounds is said, and not silently made to fit. */
function NumberField({
  label,
  hint,
  min,
  max,
  value,
  onChange,
}: {
  label: string
  hint?: string
  min: number
  max: number
  value: number | undefined
  onChange: (value: number | undefined) => void
}) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const isWrong = text !== '' && !(Number.isInteger(Number(text)) && Number(text) >= min && Number(text) <= max)
  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="numeric"
      value={text}
      error={isWrong ? `A whole number from ${min} to ${max.toLocaleString('en')}.` : undefined}
      onChange={(event) => {
        const next = event.target.value.trim()
        setText(next)
        // What is wrong is refused by the engine too, in words.
        onChange(next === '' ? undefined : Number(next))
      }}
    />
  )
}
