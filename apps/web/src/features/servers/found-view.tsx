import { useState } from 'react'
import type { FoundServer, FoundTool } from '#domain/server.ts'
import { definitionsTokens } from '#domain/tool-budget.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Badge } from '#ui/badge.tsx'
import { TextField } from '#ui/field.tsx'
import { ServerPicture } from '#ui/server-picture.tsx'
import { ToolBadges } from '#ui/tool-badges.tsx'
import { ToolWarnings } from '#ui/tool-warnings.tsx'
import type { ServerReport } from '#wiring/commands.ts'
import styles from './servers.module.css'

const ERAS: Record<NonNullable<ServerReport['era']>, string> = {
  stateless: 'every request stands for itself',
  sessions: 'in a session',
  'http+sse': 'over HTTP+SSE, the first transport',
}
/** Fewer are seen at a glance. */
const MANY = 12

/** What a server says of itself and its tools, as text. */
export function FoundView({
  found,
  sessionId,
  era,
}: {
  found: FoundServer
  sessionId: string | undefined
  era?: ServerReport['era']
}) {
  return (
    <div className={styles.found}>
      <h3 className={styles.foundName}>
        <ServerPicture src={found.icon} fallback="server" size={28} />
        <span>
          {visibleText(found.title)} <span className={styles.soft}>{visibleText(found.version)}</span>
        </span>
      </h3>
      <dl className={styles.facts}>
        {found.protocolVersion && (
          <>
            <dt>Revision</dt>
            <dd>
              {visibleText(found.protocolVersion)}
              {era && `, ${ERAS[era]}`}
            </dd>
          </>
        )}
        {sessionId && (
          <>
            <dt>Session</dt>
            <dd>
              <code className={styles.session}>{visibleText(sessionId)}</code>
            </dd>
          </>
        )}
        <dt>Offers</dt>
        <dd>
          {plural(found.tools.length, 'tool')} · {plural(found.resources, 'resource')} ·{' '}
          {plural(found.prompts, 'prompt')} · ~{definitionsTokens(found.tools).toLocaleString('en')} tokens of
          definitions
        </dd>
        {found.capabilities && found.capabilities.length > 0 && (
          <>
            <dt>Can</dt>
            <dd className={styles.chips}>
              {found.capabilities.map((name) => (
                <Badge key={name}>{visibleText(name)}</Badge>
              ))}
            </dd>
          </>
        )}
      </dl>
      {found.instructions && (
        <details>
          <summary>Its instructions for models</summary>
          <p className={styles.instructions}>{visibleText(found.instructions)}</p>
        </details>
      )}
      <ToolList tools={found.tools} serverIcon={found.icon} />
    </div>
  )
}

function ToolList({ tools, serverIcon }: { tools: readonly FoundTool[]; serverIcon: string | undefined }) {
  const [words, setWords] = useState('')
  const wanted = words.trim().toLowerCase()
  const shown = wanted === '' ? tools : tools.filter((tool) => isAbout(tool, wanted))
  return (
    <>
      {tools.length > MANY && (
        <TextField
          label="Find a tool"
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          hint={wanted === '' ? undefined : `${plural(shown.length, 'tool')} of ${tools.length.toLocaleString('en')}`}
        />
      )}
      <ul className={styles.tools}>
        {shown.map((tool) => (
          <li key={tool.name} className={styles.tool}>
            <span className={styles.toolHead}>
              <ServerPicture src={tool.icon ?? serverIcon} fallback="tool" size={18} />
              <strong>{visibleText(tool.title || tool.name)}</strong>
              {tool.title && tool.title !== tool.name && <code>{visibleText(tool.name)}</code>}
              <ToolBadges annotations={tool.annotations} />
              {tool.problem && (
                <Badge tone="bad" title={tool.problem}>
                  cannot be used
                </Badge>
              )}
            </span>
            <p className={styles.description}>{visibleText(tool.problem ?? tool.description)}</p>
            <ToolWarnings warnings={tool.warnings} />
          </li>
        ))}
      </ul>
    </>
  )
}

const isAbout = ({ name, title, description }: FoundTool, words: string): boolean =>
  `${name}\n${title}\n${description}`.toLowerCase().includes(words)
