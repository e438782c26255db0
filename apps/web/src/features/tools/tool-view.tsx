import { useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { FoundTool, Server } from '#domain/server.ts'
import type { LedgerEntry } from '#domain/tool-ledger.ts'
import { visibleText } from '#lib/visible-text.ts'
import { unseenTool } from '#storage/live.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Explained } from '#ui/explained.tsx'
import { Notice } from '#ui/notice.tsx'
import { ServerDot } from '#ui/server-dot.tsx'
import { ToolBadges } from '#ui/tool-badges.tsx'
import { ToolIcon } from '#ui/tool-icon.tsx'
import { ToolWarnings } from '#ui/tool-warnings.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine, useEngineState } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { DefinitionView } from './definition-view.tsx'
import { readDefinition } from './read-definition.ts'
import styles from './tool-view.module.css'
import { Trial } from './trial.tsx'
import { useDefinition } from './use-definition.ts'

/** One tool: what its server says of it, and the way to try it. */
export function ToolView({ server, toolName }: { server: Server | undefined; toolName: string }) {
  if (!server) {
    return (
      <EmptyState icon="question" title="This server is gone" action={<Link href="/tools">All tools</Link>}>
        It was removed here or in another tab.
      </EmptyState>
    )
  }
  return <ToolOfServer server={server} toolName={toolName} />
}

function ToolOfServer({ server, toolName }: { server: Server; toolName: string }) {
  const { definition, failure, isLoading, reload } = useDefinition(server.id, toolName, server.enabled)
  const stored = server.found?.tools.find(({ name }) => name === toolName)
  const isChanged = useChanged(stored?.fingerprint, definition?.found.fingerprint)
  const found = definition?.found ?? stored
  const entry = useLive((db) => unseenTool(db, server.id, toolName), [server.id, toolName])
  const read = useMemo(() => definition && readDefinition(definition), [definition])
  return (
    <div className={styles.tool}>
      <ToolHead server={server} toolName={toolName} found={found} icon={stored?.icon ?? found?.icon} />
      {!server.enabled && <SwitchedOff server={server} />}
      {failure && server.enabled && (
        <Explained
          {...explain(failure, { serverId: server.id })}
          {...(failure.code !== 'vault-locked' && { action: { label: 'Try again', command: 'toolDefinition' } })}
          onAct={reload}
        />
      )}
      {isChanged && (
        <Notice
          tone="warn"
          title="This tool has changed since it was loaded"
          actions={<Button onClick={reload}>Load it anew</Button>}
        >
          What you see is not what {visibleText(server.name)} has now, so it would not be run.
        </Notice>
      )}
      {entry && <Unseen entry={entry} />}
      {found?.problem && entry?.state !== 'changed' && (
        <Notice tone="bad" title="This tool cannot be used">
          {visibleText(found.problem)}
        </Notice>
      )}
      {isLoading && !definition && (
        <p className={styles.soft} role="status">
          Asking {visibleText(server.name)}…
        </p>
      )}
      {definition && read && <DefinitionView definition={definition} read={read} />}
      {definition && read && found && !found.problem && (
        <Trial server={server} found={definition.found} schema={read.inputSchema} onReload={reload} />
      )}
    </div>
  )
}

/** Whether the server has told of another definition since this one was loaded. */
function useChanged(stored: string | undefined, loaded: string | undefined): boolean {
  // What was stored at that time may have been older: only what comes after it counts.
  const seen = useRef<{ loaded: string | undefined; stored: string | undefined }>({
    loaded: undefined,
    stored: undefined,
  })
  if (seen.current.loaded !== loaded) seen.current = { loaded, stored }
  return loaded !== undefined && stored !== undefined && stored !== seen.current.stored && stored !== loaded
}

function ToolHead({
  server,
  toolName,
  found,
  icon,
}: {
  server: Server
  toolName: string
  found: FoundTool | undefined
  icon: string | undefined
}) {
  const state = useEngineState((engine) => engine.servers[server.id])
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        <ToolIcon icon={icon} size={24} />
        <h2>{visibleText(found?.title || toolName)}</h2>
      </div>
      <p className={styles.line}>
        <code>{visibleText(toolName)}</code>
        <CopyButton text={toolName} label="Copy the name" />
        <span className={styles.server}>
          of <Link href={`/servers/${encodeURIComponent(server.id)}`}>{visibleText(server.name)}</Link>{' '}
          <ServerDot state={state} isEnabled={server.enabled} />
        </span>
      </p>
      <p className={styles.line}>
        {found && <ToolBadges annotations={found.annotations} />}
        {found?.annotations.idempotent && (
          <Badge title="The server says that doing it twice is the same as doing it once.">claims: idempotent</Badge>
        )}
      </p>
      {found?.description && <Description text={found.description} />}
      <ToolWarnings warnings={found?.warnings} />
    </header>
  )
}

/** What the user has not seen of it, and where that is. */
function Unseen({ entry: { serverId, toolName, fingerprint, state } }: { entry: LedgerEntry }) {
  const engine = useEngine()
  const { isBusy, run } = useDeed()
  if (state === 'changed')
    return (
      <Notice
        tone="warn"
        title="This tool has changed since you last looked"
        actions={<Link href={`/servers/${encodeURIComponent(serverId)}/changes`}>See what is different</Link>}
      >
        It is not used, here or by a model, until you have seen the difference.
      </Notice>
    )
  return (
    <Notice
      title="This tool is new"
      actions={
        <Button
          busy={isBusy}
          onClick={() => void run(() => engine.seeTools({ serverId, shown: [{ toolName, fingerprint }] }))}
        >
          I have seen it
        </Button>
      }
    >
      It came after you last looked at its server.
    </Notice>
  )
}

const MAX_DESCRIPTION = 1_200

/** The words of a stranger: as they are, with nothing hidden in them. */
function Description({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(text.length <= MAX_DESCRIPTION)
  return (
    <div>
      <p className={styles.description}>{visibleText(isWhole ? text : `${text.slice(0, MAX_DESCRIPTION)}…`)}</p>
      {!isWhole && (
        <Button small look="quiet" onClick={() => setWhole(true)}>
          Show all of it
        </Button>
      )}
    </div>
  )
}

function SwitchedOff({ server }: { server: Server }) {
  const engine = useEngine()
  const { isBusy, run } = useDeed()
  return (
    <Notice
      title={`${visibleText(server.name)} is switched off`}
      actions={
        <Button
          busy={isBusy}
          onClick={() => void run(() => engine.enableServer({ serverId: server.id, enabled: true }))}
        >
          Switch it on
        </Button>
      }
    >
      Its tools are shown as they were. To run one, switch the server on.
    </Notice>
  )
}
