import { useId } from 'react'
import { shortValue } from '#lib/json-schema/describe-schema.ts'
import { same } from '#lib/json-schema/match-branch.ts'
import { SelectField, TextField } from '../field.tsx'
import { JsonControl } from './json-control.tsx'
import type { FieldProps } from './form-context.ts'

/** More than this nobody reads through: it is typed, and the list helps. */
const MOST_LISTED = 100

export function ChoiceControl({ plan, label, hint, fault, path, value, required, onChange }: FieldProps<'choice'>) {
  const list = useId()
  const { options, more } = plan
  const shared = { label, hint, error: fault, 'aria-required': required || undefined }
  if (options.length > MOST_LISTED) {
    if (!options.every((option) => typeof option.value === 'string'))
      return <JsonControl {...{ path, label, hint, value, onChange }} required={required === true} />
    return (
      <>
        <TextField
          {...shared}
          list={list}
          placeholder={`One of ${options.length + more}`}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value || undefined)}
        />
        <datalist id={list}>
          {options.map(({ value: one }, index) => (
            // Their order never changes.
            <option key={index} value={String(one)} />
          ))}
        </datalist>
      </>
    )
  }
  const chosen = options.findIndex((option) => same(option.value, value))
  const usual = plan.default ? ` (${shortValue(plan.default.value)})` : ''
  return (
    <SelectField
      {...shared}
      value={value === undefined ? '' : String(chosen)}
      onChange={(event) => {
        const { value: at } = event.target
        onChange(at === '' ? undefined : at === 'null' ? null : options[Number(at)]?.value)
      }}
    >
      <option value="">{required ? 'Choose…' : `Not set${usual}`}</option>
      {options.map((option, index) => (
        // Their order never changes, and two may have one label.
        <option key={index} value={index}>
          {option.label}
        </option>
      ))}
      {plan.nullable && !options.some((option) => option.value === null) && <option value="null">null</option>}
      {/* A value from elsewhere that is none of them is still what would be sent. */}
      {value !== undefined && chosen < 0 && value !== null && (
        <option value="-1">{shortValue(value)} (none of the choices)</option>
      )}
    </SelectField>
  )
}
