import { shortValue } from '#lib/json-schema/describe-schema.ts'
import { same } from '#lib/json-schema/match-branch.ts'
import { Tick } from '../field.tsx'
import { Group } from './group.tsx'
import type { FieldProps } from './form-context.ts'
import styles from './schema-form.module.css'

/** Any of a few, in the order in which they are listed. */
export function ChoicesControl({ plan, label, hint, fault, value, required, onChange }: FieldProps<'choices'>) {
  const chosen = Array.isArray(value) ? (value as unknown[]) : []
  const isChosen = (one: unknown) => chosen.some((other) => same(one, other))
  const strangers = chosen.filter((one) => !plan.options.some((option) => same(option.value, one)))
  const change = (one: unknown, checked: boolean) => {
    const listed = plan.options.map((option) => option.value)
    const next = [...listed, ...strangers].filter((other) => (same(other, one) ? checked : isChosen(other)))
    // None is left: where it may be left out, that is what was meant.
    onChange(next.length === 0 && !required ? undefined : next)
  }
  return (
    <Group label={label} hint={hint} fault={fault}>
      <div className={styles.choices}>
        {[
          ...plan.options,
          ...strangers.map((one) => ({ value: one, label: `${shortValue(one)} (none of the choices)` })),
        ].map((option, index) => (
          <Tick
            // Their order never changes.
            key={index}
            label={option.label}
            checked={isChosen(option.value)}
            onChange={(checked) => change(option.value, checked)}
          />
        ))}
      </div>
    </Group>
  )
}
