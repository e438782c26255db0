import { type ReactNode, useId, useState } from 'react'
import type { Question } from '#domain/question.ts'
import { judgeAddress } from '#domain/question-address.ts'
import { hidesText, visibleText } from '#lib/visible-text.ts'
import { ActionButton, Actions, DecisionCard } from '../decision.tsx'
import { Icon } from '../icon.tsx'
import { SchemaForm } from '../schema-form/schema-form.tsx'
import styles from './question-card.module.css'

interface QuestionCardProps {
  question: Question
  /** What is entered so far; undefined until that is known. */
  value: Record<string, unknown> | undefined
  onChange: (value: Record<string, unknown>) => void
  faults: readonly { path: string; message: string }[]
  isBusy: boolean
  onAnswer: (action: 'accept' | 'decline' | 'cancel') => void
  onSample: () => void
  /** What went wrong the last time. */
  trouble?: ReactNode
}

/** A question of a server in the middle of a call. All of it is a stranger's words: it says whose, and never looks like ours. */
export function QuestionCard(props: QuestionCardProps) {
  const { question } = props
  const id = useId()
  const server = visibleText(question.serverName)
  return (
    <DecisionCard className={styles.card} aria-labelledby={id} announce={`${server} asks you something.`}>
      <header className={styles.head} id={id}>
        <Icon name="question" />
        <span>
          <strong>{server}</strong> {WANTS[question.kind]}
        </span>
      </header>
      <Body {...props} />
    </DecisionCard>
  )
}

const WANTS: Record<Question['kind'], string> = {
  form: 'asks:',
  url: 'wants you to visit a page:',
  sampling: 'wants an answer of your model',
  'sign-in': 'wants you to sign in',
}

function Body(props: QuestionCardProps) {
  switch (props.question.kind) {
    case 'form':
      return <FormQuestion {...props} />
    case 'url':
      return <Visit {...props} />
    case 'sampling':
      return <Sampling {...props} />
    case 'sign-in':
      return null
  }
}

/** In the server's own words, hidden characters shown. */
const Words = ({ text }: { text: string }) => (text ? <p className={styles.words}>{visibleText(text)}</p> : null)

function FormQuestion({ question, value, onChange, faults, isBusy, onAnswer, trouble }: QuestionCardProps) {
  const [problem, setProblem] = useState<string>()
  const server = visibleText(question.serverName)
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault()
    if (!problem && !isBusy) onAnswer('accept')
  }
  return (
    <form className={styles.body} autoComplete="off" noValidate onSubmit={submit}>
      <Words text={question.message} />
      {value && (
        <SchemaForm
          schema={question.schema ?? {}}
          value={value}
          onChange={onChange}
          faults={faults}
          disabled={isBusy}
          label="Your answer"
          onProblem={setProblem}
        />
      )}
      {faults.length > 0 && (
        <p className={styles.faults} role="alert">
          Nothing was sent: {faults.length === 1 ? 'an entry is' : `${faults.length} entries are`} not what the form
          asks for.
        </p>
      )}
      {trouble}
      <p className={styles.hint}>What you submit goes to {server}. Enter no passwords, keys or card numbers.</p>
      <Actions className={styles.buttons}>
        <ActionButton look="primary" type="submit" busy={isBusy} disabled={!value || problem !== undefined}>
          Submit
        </ActionButton>
        <No {...{ isBusy, onAnswer }} />
      </Actions>
    </form>
  )
}

/** Two answers that are not the same: no, and not now. */
const No = ({ isBusy, onAnswer }: Pick<QuestionCardProps, 'isBusy' | 'onAnswer'>) => (
  <>
    <ActionButton
      refuses
      disabled={isBusy}
      title="Tells the server that you do not want to answer"
      onClick={() => onAnswer('decline')}
    >
      Decline
    </ActionButton>
    <ActionButton
      refuses
      look="quiet"
      disabled={isBusy}
      title="Tells the server that you closed the question without an answer"
      onClick={() => onAnswer('cancel')}
    >
      Cancel
    </ActionButton>
  </>
)

function Visit({ question, isBusy, onAnswer, trouble }: QuestionCardProps) {
  const [hasOpened, setOpened] = useState(false)
  const judged = judgeAddress(question.url ?? '')
  if ('refused' in judged) return <Words text={judged.refused} />
  const { href, before, host, after, warnings } = judged
  const open = () => {
    // In the click itself, and without a hand on this page for who is there.
    window.open(href, '_blank', 'noopener,noreferrer')
    setOpened(true)
  }
  const isReady = hasOpened || question.isDone === true
  return (
    <div className={styles.body}>
      <Words text={question.message} />
      <p className={styles.address}>
        {visibleText(before)}
        <strong>{visibleText(host)}</strong>
        {visibleText(after)}
      </p>
      {warnings.length > 0 && (
        <ul className={styles.warnings}>
          {warnings.map((warning) => (
            <li key={warning}>
              <Icon name="warning" size={15} />
              {warning}
            </li>
          ))}
        </ul>
      )}
      {trouble}
      <p className={styles.hint} role="status">
        {question.isDone
          ? `${visibleText(question.serverName)} says that it is done.`
          : hasOpened
            ? 'Come back when you are done there.'
            : 'Nothing has been opened. Look at the bold part: that is whose page it is.'}
      </p>
      <Actions className={styles.buttons}>
        <ActionButton look={isReady ? 'plain' : 'primary'} icon="external" disabled={isBusy} onClick={open}>
          {hasOpened ? 'Open again' : `Open ${visibleText(host)}`}
        </ActionButton>
        {isReady && (
          <ActionButton look="primary" busy={isBusy} onClick={() => onAnswer('accept')}>
            I’ve done it
          </ActionButton>
        )}
        <No {...{ isBusy, onAnswer }} />
      </Actions>
    </div>
  )
}

function Sampling({ question, isBusy, onAnswer, onSample, trouble }: QuestionCardProps) {
  const { system, messages = [], maxTokens, answer } = question.sampling ?? {}
  const server = visibleText(question.serverName)
  const isHiding = [system ?? '', ...messages.map(({ text }) => text)].some(hidesText)
  return (
    <div className={styles.body}>
      <p className={styles.hint}>
        This is all that the model would read. It gets no tools and nothing of this chat, and answers with at most{' '}
        {maxTokens} tokens, which you may have to pay for.
      </p>
      <div className={styles.prompt} tabIndex={0} role="group" aria-label="What the model would read">
        {system && <Said who="System" text={system} />}
        {messages.map(({ role, text }, index) => (
          <Said key={index} who={role === 'user' ? server : 'The model, says the server'} text={text} />
        ))}
      </div>
      {isHiding && (
        <p className={styles.warnings}>
          <Icon name="warning" size={15} /> It hides characters, which are shown here.
        </p>
      )}
      {answer && (
        <>
          <p className={styles.hint}>What {visibleText(answer.model)} answered. Nothing has been sent yet:</p>
          <div className={styles.prompt} tabIndex={0} role="group" aria-label="What the model answered">
            <p>{visibleText(answer.text) || 'Nothing.'}</p>
          </div>
        </>
      )}
      {trouble}
      <Actions className={styles.buttons}>
        {answer ? (
          <>
            <ActionButton look="primary" busy={isBusy} onClick={() => onAnswer('accept')}>
              Send to {server}
            </ActionButton>
            <ActionButton disabled={isBusy} icon="refresh" onClick={onSample}>
              Answer anew
            </ActionButton>
          </>
        ) : (
          <ActionButton look="primary" icon="sparkle" busy={isBusy} onClick={onSample}>
            {isBusy ? 'The model answers…' : 'Let the model answer'}
          </ActionButton>
        )}
        <ActionButton refuses disabled={isBusy} onClick={() => onAnswer('decline')}>
          Decline
        </ActionButton>
      </Actions>
    </div>
  )
}

const Said = ({ who, text }: { who: string; text: string }) => (
  <div className={styles.said}>
    <span className={styles.who}>{who}</span>
    <p>{visibleText(text)}</p>
  </div>
)
