import { useState } from 'react'
import type { Server } from '#domain/server.ts'
import { servers as allServers } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Lines } from '#ui/lines.tsx'
import { LinkButton } from '#ui/link-button.tsx'
import { Page } from '#ui/page.tsx'
import { useLive } from '#wiring/use-live.ts'
import { CompanionSection } from './companion-section.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { ServerLine } from './server-line.tsx'

export function ServersScreen() {
  const servers = useLive((db) => allServers(db), [])
  const [exported, setExported] = useState<readonly Server[]>()
  return (
    <Page
      title="Servers"
      actions={
        <>
          {servers && servers.length > 0 && (
            <Button icon="download" onClick={() => setExported(servers)}>
              Export all
            </Button>
          )}
          <LinkButton icon="tool" href="/servers/custom">
            Custom tools
          </LinkButton>
          <LinkButton look="primary" icon="plus" href="/servers/new">
            Add a server
          </LinkButton>
        </>
      }
    >
      {servers?.length === 0 && (
        <EmptyState icon="server" title="No servers">
          An MCP server brings tools: for your files, your calendar, a database, the web. Add one by its address, or
          paste the configuration of another client; tick it in a GPT, and the GPT can use what it offers.
        </EmptyState>
      )}
      {servers && servers.length > 0 && (
        <Lines>
          {servers.map((server) => (
            <ServerLine key={server.id} server={server} onExport={() => setExported([server])} />
          ))}
        </Lines>
      )}
      {servers && <CompanionSection servers={servers} />}
      <ExportDialog servers={exported} onClose={() => setExported(undefined)} />
    </Page>
  )
}
