import { useState } from 'react'
import { valueToAdd } from '#lib/json-schema/initial-value.ts'
import { matchBranch } from '#lib/json-schema/match-branch.ts'
import { SelectField } from '../field.tsx'
import { type FieldProps, useForm } from './form-context.ts'
import styles from './schema-form.module.css'

/** First which of several things it is, then that thing. */
export function UnionBranch({ plan, label, hint, fault, ...place }: FieldProps<'union'>) {
  const { Place, root } = useForm()
  const { path, depth, value, required, onChange } = place
  const [picked, setPicked] = useState(-1)
  const found = value === undefined ? picked : matchBranch(root, plan.branches, value)
  // Several may fit what is there; what the user said goes before a guess.
  const fitsPicked =
    picked >= 0 && value !== undefined && matchBranch(root, plan.branches.slice(picked, picked + 1), value) === 0
  const at = fitsPicked ? picked : found
  const branch = plan.branches[at]
  return (
    <div className={styles.union}>
      <SelectField
        label={label}
        hint={hint}
        error={branch ? undefined : fault}
        aria-required={required || undefined}
        value={String(at)}
        onChange={(event) => {
          const next = Number(event.target.value)
          setPicked(next)
          onChange(next < 0 ? undefined : valueToAdd(root, plan.branches[next]?.schema))
        }}
      >
        <option value="-1">{required ? 'Choose…' : 'Not set'}</option>
        {plan.branches.map((one, index) => (
          // Their order never changes, and two may have one label.
          <option key={index} value={index}>
            {one.label}
          </option>
        ))}
      </SelectField>
      {branch && (
        <div className={styles.branch}>
          <Place
            key={at}
            schema={branch.schema}
            name={branch.label}
            path={path}
            // A union inside a union has no end of its own.
            depth={depth + 1}
            required
            unmarked
            value={value}
            onChange={onChange}
          />
        </div>
      )}
    </div>
  )
}
