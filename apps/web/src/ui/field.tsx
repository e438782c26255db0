import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'

interface Labelled {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong with it, in a sentence that says what to do. */
  error?: string | undefined
}

function useDescription({ hint, error }: Labelled) {
  const id = useId()
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return { id, aria: { id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined } }
}

function Frame({ id, label, hint, error, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

export function TextField({ label, hint, error, className, ...rest }: ComponentProps<'input'> & Labelled) {
  const { id, aria } = useDescription({ label, hint, error })
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input type="text" autoComplete="off" {...rest} {...aria} className={classNames(styles.input, className)} />
    </Frame>
  )
}

export function TextArea({ label, hint, error, className, ...rest }: ComponentProps<'textarea'> & Labelled) {
  const { id, aria } = useDescription({ label, hint, error })
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea rows={4} {...rest} {...aria} className={classNames(styles.input, styles.area, className)} />
    </Frame>
  )
}

export function SelectField({ label, hint, error, className, children, ...rest }: ComponentProps<'select'> & Labelled) {
  const { id, aria } = useDescription({ label, hint, error })
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select {...rest} {...aria} className={classNames(styles.input, className)}>
        {children}
      </select>
    </Frame>
  )
}

type TickProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  label: ReactNode
  hint?: ReactNode
  onChange: (checked: boolean) => void
}

/** A box to tick, or with `kind="switch"` something that is on or off at once. */
export function Tick({
  label,
  hint,
  onChange,
  kind = 'checkbox',
  ...rest
}: TickProps & { kind?: 'checkbox' | 'switch' }) {
  const id = useId()
  return (
    <div className={styles.tick}>
      <input
        {...rest}
        id={id}
        type="checkbox"
        role={kind === 'switch' ? 'switch' : undefined}
        className={kind === 'switch' ? styles.switch : styles.box}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

interface Choice<Value extends string> {
  value: Value
  label: ReactNode
  hint?: ReactNode
}

/** One of a few, each with a line of what it means. */
export function Choices<Value extends string>({
  legend,
  value,
  choices,
  onChange,
}: {
  legend: ReactNode
  value: Value
  choices: readonly Choice<Value>[]
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.label}>{legend}</legend>
      {choices.map((choice) => (
        <div key={choice.value} className={styles.tick}>
          <input
            type="radio"
            id={`${name}-${choice.value}`}
            name={name}
            className={styles.box}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            aria-describedby={choice.hint ? `${name}-${choice.value}-hint` : undefined}
          />
          <div>
            <label htmlFor={`${name}-${choice.value}`}>{choice.label}</label>
            {choice.hint && (
              <p id={`${name}-${choice.value}-hint`} className={styles.hint}>
                {choice.hint}
              </p>
            )}
          </div>
        </div>
      ))}
    </fieldset>
  )
}
