import type { ToolCall } from '#domain/tool-call.ts'
import { hidesText, visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { bytesOf } from '#lib/in-words.ts'
import { type Answering, mustSeeAll, whyNotAllow } from './answer.ts'
import styles from './approval-card.module.css'
import { CallArguments } from '#ui/call/call-arguments.tsx'
import { holdsSecret } from '#domain/holds-secret.ts'
import { claimsOf } from './claims.ts'

/** What one call would do, and with what: server, tool, arguments, warnings. */
export function Question({
  call,
  answering,
  onChange,
}: {
  call: ToolCall
  answering: Answering
  onChange: (change: Partial<Answering>) => void
}) {
  const { edited } = answering
  const cut = mustSeeAll(call, answering)
    ? { bytes: bytesOf(call.arguments), onShowAll: () => onChange({ hasSeenAll: true }) }
    : undefined
  return (
    <>
      <div className={styles.frame}>
        {edited === undefined ? (
          <CallArguments json={call.arguments} cut={cut} />
        ) : (
          <TextArea
            label="Arguments, as JSON"
            className={styles.editor}
            value={edited}
            rows={Math.min(16, edited.split('\n').length + 2)}
            spellCheck={false}
            error={whyNotAllow(call, answering)}
            onChange={(event) => onChange({ edited: event.target.value })}
          />
        )}
        <div>
          {edited === undefined ? (
            <Button
              small
              look="quiet"
              icon="edit"
              onClick={() => onChange({ edited: call.arguments, hasSeenAll: true })}
            >
              Edit
            </Button>
          ) : (
            <Button small look="quiet" onClick={() => onChange({ edited: undefined })}>
              Undo changes
            </Button>
          )}
        </div>
      </div>
      {edited !== undefined && hidesText(edited) && (
        <p className={styles.warning}>
          <Icon name="warning" size={15} />
          <span>It hides characters, shown here: {visibleText(edited)}</span>
        </p>
      )}
      <Warnings call={call} />
    </>
  )
}

function Warnings({ call }: { call: ToolCall }) {
  const { warnings, assurances } = claimsOf(call.annotations)
  const headers = call.headerArguments.map(visibleText).join(', ')
  const why = whyAsked(call)
  const foreign = (call.approval?.foreign ?? []).map(visibleText).join(', ')
  return (
    <ul className={styles.claims}>
      {warnings.length > 0 && (
        <li className={styles.warning}>
          <Icon name="warning" size={15} />
          claims: {warnings.join(' · ')}
        </li>
      )}
      {holdsSecret(call.arguments) && (
        <li className={styles.warning}>
          <Icon name="warning" size={15} />
          the arguments hold what looks like a key or a token
        </li>
      )}
      {foreign && call.approval?.why !== 'untrusted-content' && (
        <li className={styles.warning}>
          <Icon name="warning" size={15} />
          this chat contains content from {foreign}, which you don’t trust
        </li>
      )}
      {headers && (
        <li className={styles.warning}>
          <Icon name="warning" size={15} />
          also sent as a header, where others on the way may log it: {headers}
        </li>
      )}
      {assurances.length > 0 && <li>claims: {assurances.join(' · ')}</li>}
      {why && <li>{why}</li>}
      {warnings.length + assurances.length === 0 && <li>The server says nothing about what this tool changes.</li>}
    </ul>
  )
}

/** Why the person is asked, where that takes one sentence. Content of untrusted servers has a notice of its own. */
function whyAsked({ approval }: ToolCall): string | undefined {
  switch (approval?.why) {
    case 'always-ask':
      return 'It asks because this GPT asks before every tool.'
    case 'not-trusted':
      return 'It asks because this GPT asks before tools you haven’t trusted.'
    case 'secret':
      return 'It asks because of the key or token in the arguments. Otherwise it would run without asking.'
    case 'untrusted-content':
    case undefined:
      return undefined
  }
}
