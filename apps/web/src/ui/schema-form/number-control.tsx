import { useState } from 'react'
import { shortValue } from '#lib/json-schema/describe-schema.ts'
import { readNumber } from '#lib/json-schema/read-number.ts'
import { TextField } from '../field.tsx'
import type { FieldProps } from './form-context.ts'

/** Not an input of type number: that one forgets what it cannot read. What is no number is kept, for the check to refuse. */
export function NumberControl({ plan, label, hint, fault, value, required, onChange }: FieldProps<'number'>) {
  const [typed, setTyped] = useState(() => textFor(value))
  const text = readNumber(typed) === value ? typed : textFor(value)
  const isOff = typeof value === 'string' || (plan.integer && typeof value === 'number' && !Number.isInteger(value))
  return (
    <TextField
      label={label}
      hint={hint}
      error={fault ?? (isOff ? `This is no ${plan.integer ? 'whole ' : ''}number that can be sent.` : undefined)}
      aria-required={required || undefined}
      inputMode={plan.integer ? 'numeric' : 'decimal'}
      placeholder={plan.default ? shortValue(plan.default.value) : undefined}
      value={text}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(readNumber(event.target.value))
      }}
    />
  )
}

const textFor = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : ''
