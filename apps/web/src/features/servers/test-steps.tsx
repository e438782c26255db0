import { visibleText } from '#lib/visible-text.ts'
import { Icon } from '#ui/icon.tsx'
import type { TestStep } from '#wiring/commands.ts'
import styles from './servers.module.css'

const NAMES: Record<TestStep['step'], string> = {
  address: 'Address',
  reach: 'Reached',
  protocol: 'Protocol',
  authorization: 'Authorization',
  lists: 'Lists',
}
const WORDS = { ok: '', failed: ' (failed)', skipped: ' (not tried)' } as const

/** The steps of a test, so that a failure points at its place. */
export const TestSteps = ({ steps }: { steps: readonly TestStep[] }) => (
  <ol className={styles.steps} aria-label="Steps of the test">
    {steps.map(({ step, outcome, note }) => (
      <li key={step} className={`${styles.step} ${styles[outcome]}`}>
        <Icon name={outcome === 'ok' ? 'check' : outcome === 'failed' ? 'close' : 'more'} size={16} />
        <span>
          {NAMES[step]}
          <span className="visually-hidden">{WORDS[outcome]}</span>
          {note && <span className={styles.soft}> · {visibleText(note)}</span>}
        </span>
      </li>
    ))}
  </ol>
)
