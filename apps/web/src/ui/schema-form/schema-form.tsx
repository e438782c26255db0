import { useCallback, useId, useMemo, useRef, useState } from 'react'
import { asObjectSchema } from '#lib/json-schema/as-object-schema.ts'
import { isRecord } from '#lib/json-schema/schema.ts'
import { Button } from '../button.tsx'
import { type Fault, FormContext } from './form-context.ts'
import { JsonControl } from './json-control.tsx'
import { SchemaField } from './schema-field.tsx'
import styles from './schema-form.module.css'

const NO_FAULTS: readonly Fault[] = []

interface SchemaFormProps {
  /** A stranger's: whatever it is, something is drawn. */
  schema: unknown
  value: Record<string, unknown>
  onChange: (value: Record<string, unknown>) => void
  /** `path` is a JSON pointer: '' for the whole, '/city' for one property. */
  faults?: readonly Fault[]
  disabled?: boolean
  label: string
  /** Told when what is typed is no value yet (JSON that ends early), and when it is one again. */
  onProblem?: (problem: string | undefined) => void
}

/** A form for what a schema describes, or its JSON. What was not touched is not in the value. */
export function SchemaForm({
  schema,
  value,
  onChange,
  faults = NO_FAULTS,
  disabled,
  label,
  onProblem,
}: SchemaFormProps) {
  const [asJson, setAsJson] = useState(false)
  const problems = useRef(new Map<string, string>())
  const tell = useRef(onProblem)
  tell.current = onProblem
  const report = useCallback((path: string, problem: string | undefined) => {
    if (problem === undefined) problems.current.delete(path)
    else problems.current.set(path, problem)
    tell.current?.(problems.current.values().next().value)
  }, [])
  const context = useMemo(() => ({ Place: SchemaField, root: schema, faults, report }), [schema, faults, report])
  const whole = useMemo(() => asObjectSchema(schema), [schema])
  const change = (next: unknown) => onChange(isRecord(next) ? next : {})
  const id = useId()
  return (
    <FormContext value={context}>
      <fieldset className={styles.form} disabled={disabled} aria-labelledby={id}>
        <div className={styles.head}>
          <span id={id} className={styles.title}>
            {label}
          </span>
          <Button small look="quiet" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
            JSON
          </Button>
        </div>
        {asJson ? (
          <JsonControl path="" label="As JSON" value={value} onChange={change} rows={10} isWhole />
        ) : (
          <SchemaField schema={whole} name="" path="" depth={0} value={value} onChange={change} required unmarked />
        )}
      </fieldset>
    </FormContext>
  )
}
