import { useState } from 'react'
import { Link } from 'wouter'
import type { CustomTool } from '#domain/custom-tool.ts'
import { failureOf } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { TextField } from '#ui/field.tsx'
import { LinkButton } from '#ui/link-button.tsx'
import { Menu } from '#ui/menu.tsx'
import { Notice } from '#ui/notice.tsx'
import { Page, Section } from '#ui/page.tsx'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { CallLog } from './call-log.tsx'
import styles from './custom-tools.module.css'
import { freeName, inputOf } from './tool-draft.ts'

const SEARCH_FROM = 8

const sayFailure = (error: unknown) => showToast(explain(failureOf(error)).text)

/** The tools of a collection, and what was done with them. */
export function CollectionScreen({ server, tools }: { server: Server; tools: readonly CustomTool[] }) {
  const here = `/servers/${server.id}/custom`
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const shown = wanted
    ? tools.filter(({ name, description, url }) => `${name} ${description} ${url}`.toLowerCase().includes(wanted))
    : tools
  return (
    <Page
      title={server.name}
      actions={
        <>
          <LinkButton icon="settings" href={`/servers/${server.id}`}>
            Settings
          </LinkButton>
          <LinkButton icon="download" href={`${here}/import`}>
            Import
          </LinkButton>
          <LinkButton look="primary" icon="plus" href={`${here}/new`}>
            New tool
          </LinkButton>
        </>
      }
    >
      <p className={styles.soft}>
        Custom tools: each is a request to an address of yours, made when a model calls it.{' '}
        {server.url ? (
          <>
            Keys are sent to <strong>{visibleText(hostOf(server.url))}</strong> and nowhere else.
          </>
        ) : (
          'This collection has no address of its own, so no keys are sent.'
        )}
      </p>
      {!server.enabled && (
        <Notice tone="info" title="Switched off">
          GPTs do not get these tools. Switch it on in the settings.
        </Notice>
      )}
      {tools.length === 0 ? (
        <EmptyState
          icon="tool"
          title="No tools yet"
          action={
            <LinkButton look="primary" icon="plus" href={`${here}/new`}>
              Describe a tool
            </LinkButton>
          }
        >
          Describe one request of an API: its address, what it takes, what it is good for. Or import an OpenAPI document
          and choose. Then tick this collection in a GPT.
        </EmptyState>
      ) : (
        <Section
          title={plural(tools.length, 'tool')}
          actions={
            tools.length >= SEARCH_FROM && (
              <TextField
                label="Find a tool"
                type="search"
                value={words}
                onChange={(event) => setWords(event.target.value)}
              />
            )
          }
        >
          <ul className={styles.tools}>
            {shown.map((tool) => (
              <ToolLine key={tool.id} tool={tool} here={here} taken={tools.map(({ name }) => name)} />
            ))}
          </ul>
          {shown.length === 0 && <p className={styles.soft}>No tool has these words.</p>}
        </Section>
      )}
      <Section title="Log" hint="Calls by models and by hand, also those of tests.">
        <CallLog serverId={server.id} />
      </Section>
    </Page>
  )
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

function ToolLine({ tool, here, taken }: { tool: CustomTool; here: string; taken: readonly string[] }) {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  const duplicate = () =>
    engine
      .saveCustomTool({ serverId: tool.serverId, tool: { ...inputOf(tool), name: freeName(tool.name, taken) } })
      .then(({ toolId }) => go(`${here}/${toolId}`))
      .catch(sayFailure)
  const remove = () =>
    engine
      .deleteCustomTool({ toolId: tool.id })
      .then(() =>
        showToast(`Deleted “${tool.name}”.`, {
          label: 'Undo',
          run: () => void engine.restoreCustomTool({ tool }).catch(sayFailure),
        }),
      )
      .catch(sayFailure)
  return (
    <li className={styles.tool}>
      <div className={styles.toolWords}>
        <h3 className={styles.toolName}>
          <Link href={`${here}/${tool.id}`}>{tool.name}</Link>
          {tool.annotations.destructive && <Badge tone="warn">may destroy</Badge>}
        </h3>
        <p className={styles.soft}>{visibleText(tool.description)}</p>
        <p className={styles.toolAddress}>
          <Badge>{tool.method}</Badge> <code>{visibleText(tool.url)}</code>
        </p>
      </div>
      <Menu
        label={`What to do with ${tool.name}`}
        items={[
          { label: 'Open', icon: 'edit', onSelect: () => go(`${here}/${tool.id}`) },
          { label: 'Duplicate', icon: 'duplicate', onSelect: () => void duplicate() },
          { label: 'Delete', icon: 'trash', danger: true, onSelect: () => void remove() },
        ]}
      />
    </li>
  )
}
