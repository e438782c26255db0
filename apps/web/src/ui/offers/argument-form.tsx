import type { ReactNode } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import { CompletedField } from './completed-field.tsx'
import styles from './offers.module.css'

export interface ArgumentField {
  name: string
  title: string
  description: string
  isRequired: boolean
}

/** Fields for the arguments of a prompt or the variables of a template, and what is done with them. */
export function ArgumentForm({
  fields,
  values,
  complete,
  onChange,
  onSubmit,
  startsFocused = false,
  children,
}: {
  fields: readonly ArgumentField[]
  values: Readonly<Record<string, string>>
  complete: ((name: string, value: string) => Promise<{ values: string[]; hasMore: boolean }>) | undefined
  onChange: (values: Record<string, string>) => void
  onSubmit: () => void
  startsFocused?: boolean | undefined
  /** The buttons. */
  children: ReactNode
}) {
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {fields.map(({ name, title, description, isRequired }, index) => (
        <CompletedField
          key={name}
          label={
            <>
              {visibleText(title || name)} {isRequired && <span className={styles.required}>(required)</span>}
            </>
          }
          hint={description && visibleText(description)}
          value={values[name] ?? ''}
          isRequired={isRequired}
          startsFocused={startsFocused && index === 0}
          complete={complete && ((value) => complete(name, value))}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
      <div className={styles.buttons}>{children}</div>
    </form>
  )
}
