import { type SyntheticEvent, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { passphraseStrength } from './passphrase-strength.ts'
import styles from './settings.module.css'

/** One field. For a new passphrase it says how strong it is, and can show it instead of asking twice. */
export function PassphraseForm({
  kind,
  label,
  button,
  isBusy,
  onSubmit,
}: {
  kind: 'new' | 'current'
  label: string
  button: string
  isBusy: boolean
  onSubmit: (passphrase: string) => void
}) {
  const [passphrase, setPassphrase] = useState('')
  const [isShown, setShown] = useState(false)
  const strength = passphraseStrength(passphrase)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (passphrase !== '') onSubmit(passphrase)
    // It has no business in the page any longer than this.
    setPassphrase('')
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={label}
        type={isShown ? 'text' : 'password'}
        autoComplete={kind === 'new' ? 'new-password' : 'current-password'}
        spellCheck={false}
        required
        value={passphrase}
        hint={kind === 'new' && passphrase !== '' ? strength.words : undefined}
        onChange={(event) => setPassphrase(event.target.value)}
      />
      {kind === 'new' && (
        <div className={styles.meter} data-strength={strength.level} aria-hidden="true">
          <div style={{ width: `${strength.share * 100}%` }} />
        </div>
      )}
      <div className={styles.actions}>
        <Button look="primary" type="submit" busy={isBusy}>
          {isBusy ? 'One moment…' : button}
        </Button>
        <Button look="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide it' : 'Show it'}
        </Button>
      </div>
    </form>
  )
}
