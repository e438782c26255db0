import { useCallback, useEffect, useState } from 'react'
import type { Diagnosis, Fix, Layer } from '#domain/diagnosis.ts'
import type { Failure } from '#domain/failure.ts'
import type { Authentication } from '#domain/server.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Explained } from '#ui/explained.tsx'
import { FRESH_AUTHENTICATION } from '#ui/fresh-authentication.ts'
import type { ServerInput } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { AllowRelay } from './allow-relay.tsx'
import styles from './diagnosis.module.css'

/** What the doctor changes of a server; the rest is done elsewhere. */
export type Change = Partial<Pick<ServerInput, 'relay' | 'url' | 'authentication'>>

interface DoctorProps {
  /** Who is ill: one that is saved, or what stands in the form. */
  subject: { serverId: string } | { server: ServerInput }
  failure: Failure
  /** Looks at once, for a failure that the user has just brought about by a test. */
  isAsked?: boolean
  apply: (change: Change) => void
  /** Applies it and tries to connect at once. */
  connect: (change: Change) => void
  retry: () => void
}

/** Looks for the layer at which a connection failed, and shows what mends it. */
export function Doctor({ subject, failure, isAsked = false, apply, connect, retry }: DoctorProps) {
  const engine = useEngine()
  const { run, isBusy, failure: own } = useDeed()
  const [found, setFound] = useState<{ diagnosis?: Diagnosis }>()
  const look = useCallback(
    () => void run(() => engine.diagnoseServer({ ...subject, failure })).then(setFound),
    // The form is another object at every stroke; what is asked about is the failure.
    [engine, run, failure],
  )
  useEffect(() => {
    if (isAsked) look()
  }, [isAsked, look])

  if (own) return <Explained {...explain(own)} action={undefined} />
  if (isBusy)
    return (
      <p className={styles.soft} role="status">
        Looking for the cause…
      </p>
    )
  if (found?.diagnosis)
    return <DiagnosisView diagnosis={found.diagnosis} apply={apply} connect={connect} retry={retry} />
  if (found) return <p className={styles.soft}>There is nothing more to be found out about this.</p>
  return (
    <button type="button" className={styles.ask} onClick={look}>
      What is wrong?
    </button>
  )
}

const LAYERS: Record<Layer, string> = {
  address: 'Address',
  dns: 'Name',
  unreachable: 'Not reached',
  tls: 'Certificate',
  'cors-preflight': 'CORS: asking first',
  'cors-headers': 'CORS: headers',
  'mixed-content': 'Not encrypted',
  'local-network': 'Local network',
  redirect: 'Leads elsewhere',
  authorization: 'Sign-in',
  protocol: 'Protocol',
  'time-out': 'No answer in time',
  'server-error': 'Error of the server',
  companion: 'Companion',
}

function DiagnosisView({
  diagnosis: { layer, sentence, evidence, fixes },
  apply,
  connect,
  retry,
}: { diagnosis: Diagnosis } & Pick<DoctorProps, 'apply' | 'connect' | 'retry'>) {
  return (
    <section className={styles.diagnosis} aria-label="What is wrong" data-layer={layer}>
      <p className={styles.head}>
        <Badge tone="bad">{LAYERS[layer]}</Badge> <span>{visibleText(sentence)}</span>
      </p>
      {fixes.length > 0 && (
        <ul className={styles.fixes} aria-label="What helps">
          {fixes.map((fix) => (
            <li key={fix.type} className={styles.fix}>
              <FixView fix={fix} apply={apply} connect={connect} retry={retry} />
            </li>
          ))}
        </ul>
      )}
      {evidence.length > 0 && (
        <details className={styles.evidence}>
          <summary>What was tried</summary>
          <ul>
            {evidence.map((line, index) => (
              // Lines have no other name, and never move.
              <li key={index}>{visibleText(line)}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const AUTHENTICATIONS: Record<Authentication['type'], string> = {
  auto: 'Let the server say how to sign in',
  none: 'Use no authentication',
  bearer: 'Use a bearer token',
  'api-key': 'Use an API key',
  basic: 'Use a name and a password',
  oauth2: 'Sign in',
}

function FixView({ fix, apply, connect, retry }: { fix: Fix } & Pick<DoctorProps, 'apply' | 'connect' | 'retry'>) {
  switch (fix.type) {
    case 'headers':
      return (
        <>
          <p>Whoever runs it can let this page in, by sending these headers:</p>
          <pre className={styles.block} tabIndex={0}>
            {visibleText(fix.text)}
          </pre>
          <CopyButton text={fix.text} label="Copy the headers" withWords />
        </>
      )
    case 'relay':
      return (
        <>
          <p>Or reach it through the companion, which needs nobody's leave:</p>
          <Button small look="primary" onClick={() => connect({ relay: true })}>
            Use the companion's relay
          </Button>
        </>
      )
    case 'allow':
      return <AllowRelay fix={fix} onAllowed={() => connect({ relay: true })} />
    case 'permission':
      return (
        <>
          <p>
            Open the site settings of this page (beside its address), allow <b>{PERMISSIONS[fix.name] ?? fix.name}</b>,
            and try again.
          </p>
          <Button small icon="refresh" onClick={retry}>
            Try again
          </Button>
        </>
      )
    case 'authentication':
      return (
        <Button small icon="key" onClick={() => apply({ authentication: FRESH_AUTHENTICATION[fix.to] })}>
          {AUTHENTICATIONS[fix.to]}
        </Button>
      )
    case 'address':
      return (
        <Button small look="primary" onClick={() => apply({ url: fix.url })}>
          Use {visibleText(fix.url)}
        </Button>
      )
    case 'companion':
      return (
        <p className={styles.soft}>
          The companion sees more than a page, and reaches servers that forbid pages. Start it with{' '}
          <code>npm start</code>, and open the address that it prints.
        </p>
      )
    case 'wait':
      return (
        <Button small icon="refresh" onClick={retry}>
          Try again
        </Button>
      )
  }
}

const PERMISSIONS: Record<string, string | undefined> = {
  'loopback-network': 'apps on this device',
  'local-network': 'devices on your local network',
  'local-network-access': 'access to your local network',
}
