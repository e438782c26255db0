import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Notice } from '#ui/notice.tsx'
import type { BackupSummary } from '#wiring/commands.ts'

type Skipped = BackupSummary['skipped']

const NAMES: { [Table in Skipped[number]['table']]: string } = {
  gpts: 'GPT',
  conversations: 'chat',
  messages: 'message',
  drafts: 'draft',
  mcpServers: 'server',
  mcpToolCalls: 'tool call',
  mcpTasks: 'task',
  mcpOAuthTokens: 'sign-in',
  questions: 'question of a server',
  customTools: 'tool of your own',
  modelConnections: 'model service',
  grants: 'permission',
  toolLedger: 'tool history',
  settings: 'setting',
  secrets: 'key',
}
const MANY: { [Table in Skipped[number]['table']]?: string } = {
  questions: 'questions of servers',
  customTools: 'tools of your own',
  toolLedger: 'tool histories',
}

/** How many rows of what are damaged, and where each of them is. */
export function SkippedRows({ title, skipped }: { title: string; skipped: Skipped }) {
  const counts = new Map<Skipped[number]['table'], number>()
  for (const { table } of skipped) counts.set(table, (counts.get(table) ?? 0) + 1)
  return (
    <Notice tone="warn" title={title}>
      {[...counts].map(([table, count]) => plural(count, NAMES[table], MANY[table])).join(', ')}
      <details>
        <summary>Details</summary>
        <ul>
          {skipped.slice(0, 50).map(({ table, id, field }) => (
            <li key={`${table} ${id} ${field}`}>
              {NAMES[table]} {visibleText(id)}: {visibleText(field)}
            </li>
          ))}
        </ul>
        {skipped.length > 50 && <p>And {(skipped.length - 50).toLocaleString('en')} more.</p>}
      </details>
    </Notice>
  )
}
