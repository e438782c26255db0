import type { FoundServer } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Badge } from '#ui/badge.tsx'
import { ToolBadges } from '#ui/tool-badges.tsx'
import { ToolWarnings } from '#ui/tool-warnings.tsx'
import styles from './servers.module.css'

/** What a server says of itself and its tools, as text. */
export function FoundView({ found, sessionId }: { found: FoundServer; sessionId: string | undefined }) {
  return (
    <div className={styles.found}>
      <dl className={styles.facts}>
        <dt>Calls itself</dt>
        <dd>{visibleText(`${found.title} ${found.version}`)}</dd>
        <dt>Revision</dt>
        <dd>{found.protocolVersion}</dd>
        {sessionId && (
          <>
            <dt>Session</dt>
            <dd>
              <code>{visibleText(sessionId)}</code>
            </dd>
          </>
        )}
        <dt>Offers</dt>
        <dd>
          {plural(found.tools.length, 'tool')}, {plural(found.resources, 'resource')}, {plural(found.prompts, 'prompt')}
        </dd>
      </dl>
      {found.instructions && (
        <details>
          <summary>Its instructions for models</summary>
          <p className={styles.instructions}>{visibleText(found.instructions)}</p>
        </details>
      )}
      <ul className={styles.tools}>
        {found.tools.map((tool) => (
          <li key={tool.name} className={styles.tool}>
            <span className={styles.toolHead}>
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
    </div>
  )
}
