import { type ReactNode, useMemo } from 'react'
import { cutText, shortValue } from '#lib/json-schema/describe-schema.ts'
import type { FieldPlan } from '#lib/json-schema/field-plan.ts'
import { valueToAdd } from '#lib/json-schema/initial-value.ts'
import { same } from '#lib/json-schema/match-branch.ts'
import { planField } from '#lib/json-schema/plan-field.ts'
import { isRecord } from '#lib/json-schema/schema.ts'
import { Button } from '../button.tsx'
import { Tick } from '../field.tsx'
import { ArrayItems } from './array-items.tsx'
import { BooleanControl } from './boolean-control.tsx'
import { ChoiceControl } from './choice-control.tsx'
import { ChoicesControl } from './choices-control.tsx'
import { type FieldProps, faultAt, type PlaceProps, useForm } from './form-context.ts'
import { Group } from './group.tsx'
import { JsonControl } from './json-control.tsx'
import { NumberControl } from './number-control.tsx'
import { ObjectFields } from './object-fields.tsx'
import styles from './schema-form.module.css'
import { TextControl } from './text-control.tsx'
import { UnionBranch } from './union-branch.tsx'

/** Values that hold values that hold values: deeper than this they are written, not drawn. */
const DEEPEST = 10
const LONGEST_NAME = 100

/** One place of a value, drawn as its schema says. */
export function SchemaField(place: PlaceProps) {
  const { root, faults } = useForm()
  const { schema, name, path, value, required, onChange } = place
  const plan = useMemo(() => planField(root, schema, name), [root, schema, name])
  const label = <FieldLabel name={name} plan={plan} required={required && !place.unmarked} />
  const props = { ...place, label, hint: hintFor(plan), fault: faultAt(faults, path) }
  if (value === null && plan.kind !== 'constant' && plan.kind !== 'choice')
    return (
      <Group label={label} hint={props.hint} fault={props.fault}>
        <NullTick isNull onChange={(isNull) => onChange(isNull ? null : undefined)} />
      </Group>
    )
  const field = <Control {...props} plan={plan} />
  // Where it may be left out, leaving it out says the same in fewer clicks.
  if (!plan.nullable || !required || value !== undefined || plan.kind === 'constant') return field
  return (
    <div className={styles.nullable}>
      {field}
      <NullTick isNull={false} onChange={() => onChange(null)} />
    </div>
  )
}

function Control({ plan, ...props }: FieldProps<FieldPlan['kind']>) {
  const { root } = useForm()
  const { schema, path, depth, value, onChange, label, hint, required } = props
  if (depth > DEEPEST || !isDrawable(plan, value))
    return <JsonControl {...{ path, label, hint, value, onChange }} required={required === true} />
  switch (plan.kind) {
    case 'text':
      return <TextControl {...props} plan={plan} />
    case 'number':
      return <NumberControl {...props} plan={plan} />
    case 'boolean':
      return <BooleanControl {...props} plan={plan} />
    case 'choice':
      return <ChoiceControl {...props} plan={plan} />
    case 'choices':
      return <ChoicesControl {...props} plan={plan} />
    case 'constant':
      return (
        <Group label={label} hint={hint} fault={props.fault}>
          {required && same(value, plan.value) ? (
            <code>{shortValue(plan.value)}</code>
          ) : (
            <Tick
              label={<code>{shortValue(plan.value)}</code>}
              checked={value !== undefined}
              onChange={(checked) => onChange(checked ? plan.value : undefined)}
            />
          )}
        </Group>
      )
    case 'union':
      return <UnionBranch {...props} plan={plan} />
    case 'json':
      return (
        <JsonControl
          {...{ path, label, value, onChange }}
          hint={<>{plan.why} Write it as JSON.</>}
          required={required === true}
        />
      )
    case 'object':
    case 'array':
      if (value === undefined)
        return (
          <Group label={label} hint={hint} fault={props.fault}>
            <Button small icon="plus" onClick={() => onChange(valueToAdd(root, schema))}>
              Add
            </Button>
          </Group>
        )
      return plan.kind === 'object' ? <ObjectFields {...props} plan={plan} /> : <ArrayItems {...props} plan={plan} />
  }
}

/** A value that came from elsewhere may be of another kind than the schema says: it is shown as it is. */
function isDrawable(plan: FieldPlan, value: unknown): boolean {
  if (value === undefined) return true
  switch (plan.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' || typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'object':
      return isRecord(value)
    case 'array':
    case 'choices':
      return Array.isArray(value)
    default:
      return true
  }
}

const NullTick = ({ isNull, onChange }: { isNull: boolean; onChange: (isNull: boolean) => void }) => (
  <Tick label="No value (null)" checked={isNull} onChange={onChange} />
)

function FieldLabel({ name, plan, required }: { name: string; plan: FieldPlan; required: boolean | undefined }) {
  const shown = cutText(name, LONGEST_NAME)
  return (
    <>
      {plan.title ?? (shown || 'All of it')}
      {plan.title && shown && plan.title !== shown && (
        <>
          {' '}
          <code className={styles.name}>{shown}</code>
        </>
      )}
      {required && <span className={styles.required}> (required)</span>}
    </>
  )
}

function hintFor(plan: FieldPlan): ReactNode {
  const rules = plan.hints.join('; ')
  if (!plan.description && !rules) return undefined
  return (
    <>
      {plan.description} {rules && <span className={styles.rules}>{rules}</span>}
    </>
  )
}
