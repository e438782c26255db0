import { Link, useLocation } from 'wouter'
import type { FoundServer, Server } from '#domain/server.ts'
import { server as serverById } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LinkButton } from '#ui/link-button.tsx'
import { Page, Section } from '#ui/page.tsx'
import { useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { AddServer } from './add-server.tsx'
import { FoundView } from './found-view.tsx'
import { LastFailure } from './last-failure.tsx'
import { placesOf } from './places-of.ts'
import { ServerForm } from './server-form.tsx'
import styles from './servers.module.css'
import { SignedIn } from './sign-in.tsx'
import { TestResult } from './test-result.tsx'
import { useRemoveServer } from './use-remove-server.ts'
import { useServerEditor } from './use-server-editor.ts'

/** A server that is being added, or one that is there. */
export function ServerScreen({ serverId }: { serverId?: string }) {
  const stored = useLive(async (db) => ({ server: serverId ? await serverById(db, serverId) : undefined }), [serverId])
  if (!serverId) return <AddServer />
  if (!stored) return null
  if (!stored.server) {
    return (
      <EmptyState icon="question" title="This server is gone" action={<Link href="/servers">All servers</Link>}>
        It was removed here or in another tab.
      </EmptyState>
    )
  }
  return <ServerPage server={stored.server} />
}

function ServerPage({ server }: { server: Server }) {
  const [, go] = useLocation()
  const remove = useRemoveServer()
  const editor = useServerEditor(server)
  const { draft, change, testing, test, save, isSaving } = editor
  const state = useEngineState((all) => all.servers[server.id])
  const { report } = testing
  const found = report?.found ?? (report ? undefined : server.found)
  const failed = state?.state === 'error' && server.enabled && !report && !testing.isBusy ? state : undefined
  const sessionId = report?.sessionId ?? (state?.state === 'connected' ? state.sessionId : undefined)
  return (
    <Page title={server.name}>
      {failed && !failed.signIn && (
        <LastFailure server={server} failure={failed.failure} apply={change} connect={editor.testWith} />
      )}
      <Places server={server} found={server.found} />
      <ServerForm draft={draft} server={server} change={change} identity={editor.identity} onSubmit={save}>
        <div className={styles.actions}>
          {server.transport === 'custom' ? (
            <LinkButton icon="tool" href={`/servers/${server.id}/custom`}>
              Its tools
            </LinkButton>
          ) : (
            <Button busy={testing.isBusy} onClick={test}>
              {testing.isBusy ? 'Testing…' : 'Test connection'}
            </Button>
          )}
          <Button look="primary" type="submit" busy={isSaving}>
            Save
          </Button>
          <Link href="/servers">Back</Link>
        </div>
        <TestResult editor={editor} server={server} apply={change} />
      </ServerForm>
      {found && (
        <Section title={report ? 'What it offers' : 'What it offered last time'}>
          <FoundView found={found} sessionId={sessionId} era={report?.era} />
        </Section>
      )}
      <SignedIn server={server} />
      <Section
        title="Remove"
        hint="Its keys, sign-ins and permissions go with it, and GPTs that use it go on without it. For a minute it can come back."
      >
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
    </Page>
  )
}

/** The ways to everything that has a screen of its own. */
const Places = ({ server, found }: { server: Server; found: FoundServer | undefined }) => (
  <nav aria-label="More of this server" className={styles.actions}>
    {placesOf(server, found).map(({ label, icon, to }) => (
      <LinkButton key={to} icon={icon} href={to}>
        {label}
      </LinkButton>
    ))}
  </nav>
)
