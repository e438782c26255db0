import { type ReactNode, useId, useRef, useState } from 'react'
import type { GrantScope, ToolCall } from '#domain/tool-call.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { ActionButton, Actions, DecisionCard, useIsArmed } from '#ui/decision.tsx'
import { TextField } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { Menu } from '#ui/menu.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { focusComposer } from '../composer-id.ts'
import { FailureNotice } from '../failure-notice.tsx'
import { type Answering, answerOf, unanswered, whyNotAllow } from './answer.ts'
import styles from './approval-card.module.css'
import { nameOf } from '#ui/call/describe-call.ts'
import { Question } from './question.tsx'
import { UntrustedContent } from './untrusted-content.tsx'

/** True of wide grants as long as the switch of the GPT is on. */
const STILL_ASKS =
  'Still asks when content from an untrusted server is in the chat, unless you turned that off in the GPT.'

const wider: { scope: GrantScope; label: string; hint: string }[] = [
  {
    scope: 'conversation',
    label: 'Allow in this chat',
    hint: 'Doesn’t ask again here, whatever the arguments, until content from another untrusted server comes in',
  },
  { scope: 'gpt', label: 'Allow for this GPT', hint: `In all chats with this GPT. ${STILL_ASKS}` },
  { scope: 'always', label: 'Always allow', hint: `For every GPT. ${STILL_ASKS} Take it back in Settings.` },
]

/** The question before a call runs. Calls of one message are one card with one submit. */
export function ApprovalCard({ calls, conversationId }: { calls: readonly ToolCall[]; conversationId: string }) {
  const engine = useEngine()
  const deed = useDeed()
  // The card goes with its row; until then a second answer would be told that nobody waits for it.
  const [isAnswered, setAnswered] = useState(false)
  const isBusy = deed.isBusy || isAnswered
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const [isGivingReason, setGivingReason] = useState(false)
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answering>>(new Map())
  const answeringOf = (call: ToolCall) => answers.get(call.id) ?? unanswered
  const change = (call: ToolCall, part: Partial<Answering>) =>
    setAnswers((all) => new Map(all).set(call.id, { ...unanswered, ...all.get(call.id), ...part }))
  const obstacle = calls.map((call) => whyNotAllow(call, answeringOf(call))).find(Boolean)
  const answer = (override: Partial<Answering> = {}) => {
    if (isBusy || (override.decision !== 'deny' && obstacle)) return
    const all = calls.map((call) => answerOf(call, { ...answeringOf(call), ...override }))
    void deed.run(async () => {
      await engine.answerApproval({ conversationId, answers: all })
      setAnswered(true)
      // Somebody may be at the next question by now, or anywhere else.
      const active = document.activeElement
      if (active === document.body || card.current?.contains(active)) focusComposer()
    })
  }
  const allow = { isBusy, obstacle, id }

  const [first] = calls
  if (!first) return null
  const title = calls.length === 1 ? visibleText(nameOf(first)) : `${calls.length} tools`
  const asks = calls.length === 1 ? 'asks' : 'ask'
  return (
    <DecisionCard
      ref={card}
      className={styles.card}
      aria-labelledby={`${id}-title`}
      announce={`${title} ${asks} for your permission.`}
    >
      <header className={styles.header} id={`${id}-title`}>
        <Icon name="tool" />
        <span>
          <strong>{title}</strong> {asks} for your permission
        </span>
        <kbd className={styles.key} title="Press F6 to go to this question with the keyboard" aria-hidden>
          F6
        </kbd>
      </header>
      {calls.map((call) => (
        <div key={call.id} className={styles.question}>
          <p className={styles.who}>
            <code>{visibleText(call.toolName)}</code> of <strong>{visibleText(call.serverName)}</strong>
          </p>
          <Question call={call} answering={answeringOf(call)} onChange={(part) => change(call, part)} />
          {calls.length > 1 && (
            <Decision call={call} answering={answeringOf(call)} onChange={(part) => change(call, part)} />
          )}
        </div>
      ))}
      <UntrustedContent calls={calls} />
      {deed.failure && <FailureNotice failure={deed.failure} />}
      <Actions className={styles.buttons}>
        {calls.length === 1 ? (
          <OneAnswer
            allow={allow}
            answer={answer}
            giveReason={isGivingReason ? undefined : () => setGivingReason(true)}
          />
        ) : (
          <>
            <AllowButton {...allow} onClick={() => answer()}>
              {submitWords(calls.map(answeringOf))}
            </AllowButton>
            <ActionButton refuses disabled={isBusy} onClick={() => answer({ decision: 'deny', reason: '' })}>
              Deny all
            </ActionButton>
          </>
        )}
      </Actions>
      {isGivingReason && <ReasonForm isBusy={isBusy} onDeny={(reason) => answer({ decision: 'deny', reason })} />}
      {obstacle && (
        <p id={`${id}-obstacle`} className={styles.obstacle}>
          {obstacle}
        </p>
      )}
    </DecisionCard>
  )
}

interface Allow {
  isBusy: boolean
  obstacle: string | undefined
  id: string
}

function AllowButton({
  isBusy,
  obstacle,
  id,
  onClick,
  children,
}: Allow & { onClick: () => void; children: ReactNode }) {
  return (
    <ActionButton
      look="primary"
      busy={isBusy}
      aria-disabled={obstacle !== undefined}
      aria-describedby={obstacle ? `${id}-obstacle` : undefined}
      onClick={onClick}
    >
      {children}
    </ActionButton>
  )
}

function OneAnswer({
  allow,
  answer,
  giveReason,
}: {
  allow: Allow
  answer: (part: Partial<Answering>) => void
  /** Opens the field for a reason; undefined while that is open. */
  giveReason: (() => void) | undefined
}) {
  const isArmed = useIsArmed()
  return (
    <>
      <AllowButton {...allow} onClick={() => answer({ decision: 'once' })}>
        Allow once
      </AllowButton>
      <Menu
        label="Allow for longer"
        icon="down"
        disabled={allow.isBusy || allow.obstacle !== undefined}
        notYet={!isArmed}
        items={wider.map(({ scope, label, hint }) => ({ label, hint, onSelect: () => answer({ decision: scope }) }))}
      />
      {giveReason && (
        <div className={styles.deny}>
          <ActionButton refuses disabled={allow.isBusy} onClick={() => answer({ decision: 'deny', reason: '' })}>
            Deny
          </ActionButton>
          <ActionButton refuses look="quiet" disabled={allow.isBusy} onClick={giveReason}>
            Deny with a reason
          </ActionButton>
        </div>
      )}
    </>
  )
}

/** Only denies, in words that the person typed here: it needs no guard. */
function ReasonForm({ isBusy, onDeny }: { isBusy: boolean; onDeny: (reason: string) => void }) {
  const [reason, setReason] = useState('')
  return (
    <form
      className={styles.reason}
      onSubmit={(event) => {
        event.preventDefault()
        onDeny(reason)
      }}
    >
      <TextField
        label="Why not? The model is told."
        value={reason}
        maxLength={500}
        autoFocus
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" disabled={isBusy}>
        Deny
      </Button>
    </form>
  )
}

/** What becomes of one call among several. */
function Decision({
  call,
  answering,
  onChange,
}: {
  call: ToolCall
  answering: Answering
  onChange: (part: Partial<Answering>) => void
}) {
  return (
    <div className={styles.decision}>
      <select
        aria-label={`Answer for ${visibleText(call.toolName)}`}
        value={answering.decision}
        onChange={(event) => onChange({ decision: event.target.value as Answering['decision'] })}
      >
        <option value="once">Allow once</option>
        {wider.map(({ scope, label }) => (
          <option key={scope} value={scope}>
            {label}
          </option>
        ))}
        <option value="deny">Deny</option>
      </select>
      {answering.decision === 'deny' && (
        <TextField
          label="Why not? The model is told."
          value={answering.reason}
          maxLength={500}
          onChange={(event) => onChange({ reason: event.target.value })}
        />
      )}
    </div>
  )
}

function submitWords(all: readonly Answering[]): string {
  const denied = all.filter(({ decision }) => decision === 'deny').length
  const allowed = all.length - denied
  if (denied === 0)
    return all.every(({ decision }) => decision === 'once') ? `Allow all ${allowed} once` : `Allow all ${allowed}`
  return allowed === 0 ? `Deny all ${denied}` : `Allow ${allowed}, deny ${denied}`
}
