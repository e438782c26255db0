import type { Question } from '#domain/question.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Notice } from '../notice.tsx'
import styles from './question-card.module.css'

const SAID: Record<Question['state'], string> = {
  open: 'Not answered yet.',
  accepted: 'You answered.',
  declined: 'You declined.',
  cancelled: 'You cancelled it.',
  ended: 'Nobody waits for an answer any more: the call ended, or its connection did.',
}
const LONGEST = 300

/** A question that is over: what was asked, what became of it, and what was sent. */
export function SettledQuestion({ question }: { question: Question }) {
  const { serverName, message, kind, state, refused, answer, sampling } = question
  const server = visibleText(serverName)
  if (refused !== undefined)
    return (
      <Notice tone="warn" title={`A question of ${server} was answered with no`}>
        {visibleText(refused)}
      </Notice>
    )
  return (
    <div className={styles.settled}>
      <p>
        <strong>{server}</strong> {kind === 'sampling' ? 'wanted an answer of your model' : 'asked'}
        {message && `: ${visibleText(message.slice(0, LONGEST))}`} {SAID[state]}
      </p>
      {state === 'accepted' && answer && Object.keys(answer).length > 0 && (
        <dl>
          {Object.entries(answer).map(([name, value]) => (
            <Entry key={name} name={name} value={value} />
          ))}
        </dl>
      )}
      {state === 'accepted' && sampling?.answer && <p>{visibleText(sampling.answer.text.slice(0, LONGEST))}</p>}
    </div>
  )
}

const Entry = ({ name, value }: { name: string; value: unknown }) => (
  <>
    <dt>{visibleText(name)}</dt>
    <dd>{visibleText((typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST))}</dd>
  </>
)
