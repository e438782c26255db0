import type { SignInDoubt, SignInOffer } from '#domain/server.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Badge } from './badge.tsx'
import { ActionButton, Actions, DecisionCard } from './decision.tsx'
import { Icon } from './icon.tsx'
import styles from './sign-in-card.module.css'

/** What a person should know before they are sent away to sign in, and the button that sends them. */
export function SignInCard({
  serverName,
  offer,
  phase,
  trouble,
  isUrgent = false,
  onSignIn,
}: {
  serverName: string
  offer: SignInOffer | undefined
  phase: 'preparing' | 'ready' | 'waiting' | 'finishing' | 'done'
  /** Why it did not work the last time. */
  trouble?: string | undefined
  /** An answer in a chat waits for it. Elsewhere several of these cards can be on one screen, and none interrupts. */
  isUrgent?: boolean
  onSignIn: () => void
}) {
  const name = visibleText(serverName)
  return (
    <DecisionCard
      className={styles.card}
      aria-label={`Sign in to ${name}`}
      announce={`${name} wants you to sign in.`}
      isUrgent={isUrgent}
    >
      <div className={styles.head}>
        <Icon name="key" />
        <strong>{name} wants you to sign in</strong>
      </div>
      {offer && <Before offer={offer} />}
      {trouble && (
        <p className={styles.trouble} role="alert">
          {visibleText(trouble)}
        </p>
      )}
      <Actions className={styles.actions}>
        <ActionButton
          look="primary"
          icon="external"
          busy={phase === 'preparing' || phase === 'finishing'}
          disabled={phase === 'done'}
          onClick={onSignIn}
        >
          {label(phase, offer, trouble !== undefined)}
        </ActionButton>
        <span className={styles.soft} role="status">
          {phase === 'waiting' && 'Sign in in the window that opened; this page goes on by itself.'}
          {phase === 'finishing' && 'You are back; the sign-in is being completed.'}
          {phase === 'done' && 'You are signed in; what waited for it goes on.'}
        </span>
      </Actions>
    </DecisionCard>
  )
}

function label(phase: string, offer: SignInOffer | undefined, isAgain: boolean): string {
  if (phase === 'finishing') return 'Signing in…'
  if (phase === 'done') return 'Signed in'
  if (phase === 'preparing' || !offer) return isAgain ? 'Try again' : 'Preparing…'
  if (phase === 'waiting') return 'Open the window again'
  return offer.changedFrom !== undefined || offer.doubts ? 'Sign in anyway' : isAgain ? 'Try again' : 'Sign in'
}

function Before({ offer }: { offer: SignInOffer }) {
  const { host, scopes, added, changedFrom, doubts = [] } = offer
  return (
    <>
      {changedFrom !== undefined && (
        <ul className={styles.doubts}>
          <li>
            <strong>
              Sign-in provider changed from {visibleText(changedFrom)} to {visibleText(host)}.
            </strong>{' '}
            Nothing that {visibleText(changedFrom)} gave you has been sent there. Go on only if you expected this.
          </li>
        </ul>
      )}
      <div>
        <p className={styles.soft}>
          The window shows a page of <strong className={styles.host}>{visibleText(host)}</strong>
          {scopes.length > 0 ? ', which will be asked for:' : ', which decides what you allow.'}
        </p>
        {scopes.length > 0 && (
          <ul className={styles.scopes}>
            {scopes.map((scope) => (
              <li key={scope}>
                <span className={styles.scope}>{visibleText(scope)}</span>{' '}
                {added.includes(scope) && <Badge tone="warn">new</Badge>}
              </li>
            ))}
          </ul>
        )}
      </div>
      {doubts.length > 0 && (
        <ul className={styles.doubts}>
          {doubts.map((doubt) => (
            <li key={doubt.kind}>{inWords(doubt)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function inWords(doubt: SignInDoubt): string {
  switch (doubt.kind) {
    case 'other-hosts':
      return `Several hosts take part in this sign-in: ${doubt.hosts.map(visibleText).join(', ')}. They should all belong to who you sign in with.`
    case 'foreign-metadata':
      return `${visibleText(doubt.server)} gets its sign-in settings from another host, ${visibleText(doubt.metadata)}, which chose the sign-in page. Continue only if you trust both.`
    case 'no-pkce':
      return 'Who signs you in does not say that sign-in codes are protected on their way (PKCE). They are sent protected all the same.'
    case 'parent-resource':
      return `The sign-in will be good for everything under ${visibleText(doubt.resource)}, not for this server alone.`
  }
}
