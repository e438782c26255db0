import { type ReactNode, useId } from 'react'
import styles from './schema-form.module.css'

interface GroupProps {
  label: ReactNode
  hint?: ReactNode
  fault?: string | undefined
  /** What can be done with the whole of it. */
  actions?: ReactNode
  framed?: boolean
  children: ReactNode
}

/** Several inputs under one name. */
export function Group({ label, hint, fault, actions, framed, children }: GroupProps) {
  const id = useId()
  const described = [fault && `${id}-fault`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <fieldset
      className={framed ? styles.framed : styles.group}
      aria-labelledby={`${id}-label`}
      aria-describedby={described || undefined}
    >
      <div className={styles.head}>
        <span id={`${id}-label`} className={styles.label}>
          {label}
        </span>
        {actions}
      </div>
      {fault && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {children}
    </fieldset>
  )
}
