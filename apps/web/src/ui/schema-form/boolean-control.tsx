import { useId } from 'react'
import { Group } from './group.tsx'
import type { FieldProps } from './form-context.ts'
import styles from './schema-form.module.css'

/** Yes, no, or not said: a box that nobody ticked would be a no that nobody gave. */
export function BooleanControl({ plan, label, hint, fault, value, required, onChange }: FieldProps<'boolean'>) {
  const name = useId()
  const usual = plan.default?.value === true ? ' (yes)' : plan.default?.value === false ? ' (no)' : ''
  const choices: [answer: boolean | undefined, words: string][] = [
    [true, 'Yes'],
    [false, 'No'],
  ]
  if (!required) choices.push([undefined, `Not set${usual}`])
  return (
    <Group label={label} hint={hint} fault={fault}>
      <div className={styles.answers}>
        {choices.map(([answer, words]) => (
          <label key={words} className={styles.answer}>
            <input type="radio" name={name} checked={value === answer} onChange={() => onChange(answer)} />
            {words}
          </label>
        ))}
      </div>
    </Group>
  )
}
