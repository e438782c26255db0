import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Server } from '#domain/server.ts'
import { server as serverById } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Explained } from '#ui/explained.tsx'
import { Page, Section } from '#ui/page.tsx'
import type { ServerReport } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { FoundView } from './found-view.tsx'
import { placeOf } from './place-of.ts'
import { ServerForm } from './server-form.tsx'
import { freshServer, inputOf, type ServerDraft } from './server-draft.ts'
import styles from './servers.module.css'
import { TestSteps } from './test-steps.tsx'
import { useRemoveServer } from './use-remove-server.ts'

/** A server that is being added, or one that is there. */
export function ServerScreen({ serverId }: { serverId?: string }) {
  const stored = useLive(async (db) => ({ server: serverId ? await serverById(db, serverId) : undefined }), [serverId])
  if (!stored) return null
  if (serverId && !stored.server) {
    return (
      <EmptyState icon="question" title="This server is gone" action={<Link href="/servers">All servers</Link>}>
        It was removed here or in another tab.
      </EmptyState>
    )
  }
  return <ServerPage server={stored.server} />
}

function ServerPage({ server }: { server: Server | undefined }) {
  const engine = useEngine()
  const [, go] = useLocation()
  const remove = useRemoveServer()
  const [draft, setDraft] = useState<ServerDraft>(() => (server ? inputOf(server) : freshServer()))
  const [report, setReport] = useState<ServerReport>()
  const testing = useDeed()
  const saving = useDeed()
  const state = useEngineState((all) => (server ? all.servers[server.id] : undefined))
  const known = server ? { serverId: server.id } : {}

  const change = (next: Partial<ServerDraft>) => {
    setDraft((before) => ({ ...before, ...next }))
    setReport(undefined)
  }
  const test = () =>
    void testing
      .run(() => engine.testServer({ server: namedServer(draft), secrets: draft.secrets, ...known }))
      .then((found) => {
        setReport(found)
        // What it calls itself is a good first name; the user may have a better one.
        if (found?.found && draft.name.trim() === '')
          setDraft((before) => ({ ...before, name: found.found?.title.slice(0, 100) ?? '' }))
      })
  const save = () =>
    void saving
      .run(() => engine.saveServer({ server: namedServer(draft), secrets: draft.secrets, ...known }))
      .then((saved) => {
        if (saved) go('/servers')
      })

  const failure = saving.failure ?? testing.failure ?? report?.failure
  const found = report?.found ?? (report ? undefined : server?.found)
  const sessionId = report?.sessionId ?? (state?.state === 'connected' ? state.sessionId : undefined)
  return (
    <Page title={server ? server.name : 'Add a server'}>
      <ServerForm draft={draft} server={server} change={change} onSubmit={save}>
        {report && <TestSteps steps={report.steps} />}
        {failure && <Explained {...explain(failure)} action={undefined} />}
        <div className={styles.actions}>
          <Button busy={testing.isBusy} onClick={test}>
            {testing.isBusy ? 'Testing…' : 'Test connection'}
          </Button>
          <Button look="primary" type="submit" busy={saving.isBusy}>
            Save
          </Button>
          <Link href="/servers">{server ? 'Back' : 'Cancel'}</Link>
        </div>
      </ServerForm>
      {found && (
        <Section title={report ? 'What it offers' : 'What it offered last time'}>
          <FoundView found={found} sessionId={sessionId} />
        </Section>
      )}
      {server && (
        <Section title="Remove" hint="With its keys and permissions. GPTs that use it go on without it.">
          <div>
            <Button
              look="danger"
              icon="trash"
              onClick={() => {
                go('/servers')
                void remove(server)
              }}
            >
              Remove this server
            </Button>
          </div>
        </Section>
      )}
    </Page>
  )
}

/** One that was given no name is called after its place. */
const namedServer = ({ secrets: _, ...server }: ServerDraft) => ({
  ...server,
  name: server.name.trim() || placeOf(server).slice(0, 100),
})
