import { visibleText } from '#lib/visible-text.ts'
import { Notice } from '#ui/notice.tsx'
import type { BackupSummary } from '#wiring/commands.ts'

type Reset = BackupSummary['reset']

const MOST_NAMES = 20

export const hasTrust = ({ gpts, servers, grants, calls, cancelled, results }: Reset): boolean =>
  gpts.length + servers.length + grants.length + calls + cancelled + results > 0

const list = (names: readonly string[]) => {
  const more = names.length - MOST_NAMES
  return (
    names.slice(0, MOST_NAMES).map(visibleText).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en')} more` : '')
  )
}

/** What a restored file may do without asking: nothing, unless the person wants its trust back. */
export function TrustResetNotice({ reset, isKept }: { reset: Reset; isKept: boolean }) {
  if (!hasTrust(reset)) return null
  const { gpts, servers, grants, calls, cancelled, results } = reset
  return (
    <Notice
      tone="warn"
      title={isKept ? 'This comes back as it was' : 'This is reset, so that a file cannot bring trust'}
    >
      <ul>
        {gpts.length > 0 && (
          <li>
            {isKept ? 'GPTs that run tools without asking: ' : 'GPTs set to “Always ask”: '}
            {list(gpts)}
          </li>
        )}
        {servers.length > 0 && (
          <li>
            {isKept ? 'Servers switched on or trusted: ' : 'Servers switched off and not trusted: '}
            {list(servers)}
          </li>
        )}
        {grants.length > 0 && (
          <li>
            {isKept ? 'Permissions (“don’t ask again”): ' : 'Permissions (“don’t ask again”) removed: '}
            {list(grants)}
          </li>
        )}
        {calls > 0 && (
          <li>
            {isKept ? 'Tool calls that may run now: ' : 'Tool calls that ask you again: '}
            {calls.toLocaleString('en')}
          </li>
        )}
        {cancelled > 0 && (
          <li>
            {isKept ? 'Tool calls that may go on: ' : 'Tool calls that had not ended, cancelled: '}
            {cancelled.toLocaleString('en')}
          </li>
        )}
        {results > 0 && (
          <li>
            {isKept ? 'Task results sent to the model at once: ' : 'Task results not sent to the model: '}
            {results.toLocaleString('en')}
          </li>
        )}
      </ul>
    </Notice>
  )
}
