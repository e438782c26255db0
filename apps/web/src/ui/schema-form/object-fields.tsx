import { useId, useState } from 'react'
import { pathOf, withKey } from '#lib/json-schema/change-value.ts'
import { cutText } from '#lib/json-schema/describe-schema.ts'
import { valueToAdd } from '#lib/json-schema/initial-value.ts'
import { ownOf } from '#lib/json-schema/schema.ts'
import { Button, IconButton } from '../button.tsx'
import { type FieldProps, faultsUnder, useForm } from './form-context.ts'
import { Group } from './group.tsx'
import styles from './schema-form.module.css'

/** So many at once; a stranger's schema may have ten thousand. */
const AT_ONCE = 50

export function ObjectFields(props: FieldProps<'object'>) {
  const { plan, label, hint, fault, path, depth, required, onChange } = props
  const { Place, faults } = useForm()
  const [shown, setShown] = useState(AT_ONCE)
  const value = props.value as Record<string, unknown>
  const known = plan.properties.slice(0, shown)
  const names = new Set(plan.properties.map(({ key }) => key))
  // What is there without being described is drawn as well: it is sent with the rest.
  const others = Object.keys(value).filter((key) => !names.has(key))
  const rest = plan.rest?.schema ?? {}
  // A tool that describes no arguments takes none; who knows better can write JSON.
  const takesOthers = plan.rest && !(path === '' && plan.rest.isImplied)
  const drawn = [...known.map(({ key }) => key), ...others].map((key) => pathOf(path, key))
  const below = faultsUnder(faults, path, drawn)
  const fields = (
    <>
      {below.map(({ path: at, message }) => (
        <p key={at + message} className={styles.fault}>
          {cutText(at, 100)}: {message}
        </p>
      ))}
      {known.map((property) => (
        <Place
          key={property.key}
          schema={property.schema}
          name={property.key}
          path={pathOf(path, property.key)}
          depth={depth + 1}
          required={property.required}
          value={ownOf(value, property.key)}
          onChange={(next) => onChange(withKey(value, property.key, next))}
        />
      ))}
      {plan.properties.length > shown && (
        <Button small onClick={() => setShown(shown + AT_ONCE)}>
          Show {Math.min(AT_ONCE, plan.properties.length - shown)} more of {plan.properties.length}
        </Button>
      )}
      {others.slice(0, shown).map((key) => (
        <div key={key} className={styles.row}>
          <Place
            schema={rest}
            name={key}
            path={pathOf(path, key)}
            depth={depth + 1}
            required
            unmarked
            value={value[key]}
            // A name whose value is empty for a moment stays where it is: only the button takes it away.
            onChange={(next) => onChange(withKey(value, key, next ?? ''))}
          />
          <IconButton
            small
            icon="trash"
            label={`Remove ${cutText(key, 40)}`}
            onClick={() => onChange(withKey(value, key, undefined))}
          />
        </div>
      ))}
      {takesOthers && (
        <NewKey
          taken={(key) => names.has(key) || Object.hasOwn(value, key)}
          schema={rest}
          add={(key, start) => onChange(withKey(value, key, start))}
        />
      )}
      {plan.properties.length === 0 && !takesOthers && others.length === 0 && (
        <p className={styles.hint}>{path === '' ? 'It takes no arguments.' : 'There is nothing to fill in.'}</p>
      )}
    </>
  )
  if (path === '')
    return (
      <div className={styles.fields}>
        {fault && <p className={styles.fault}>{fault}</p>}
        {fields}
      </div>
    )
  const remove = !required && (
    <IconButton small icon="trash" label={`Remove ${cutText(props.name, 40)}`} onClick={() => onChange(undefined)} />
  )
  return (
    <Group framed label={label} hint={hint} fault={fault} actions={remove}>
      {fields}
    </Group>
  )
}

function NewKey({
  taken,
  schema,
  add,
}: {
  taken: (key: string) => boolean
  schema: unknown
  add: (key: string, start: unknown) => void
}) {
  const { root } = useForm()
  const id = useId()
  const [key, setKey] = useState('')
  const submit = () => {
    if (key === '' || taken(key)) return
    add(key, valueToAdd(root, schema) ?? '')
    setKey('')
  }
  return (
    <div className={styles.newKey}>
      <label htmlFor={id} className={styles.label}>
        Another name
      </label>
      <div className={styles.pair}>
        <input
          id={id}
          className={styles.input}
          value={key}
          autoComplete="off"
          onChange={(event) => setKey(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Enter would send the form around this one.
            event.preventDefault()
            submit()
          }}
        />
        <Button small icon="plus" disabled={key === '' || taken(key)} onClick={submit}>
          Add
        </Button>
      </div>
      {taken(key) && <p className={styles.hint}>There is one of this name.</p>}
    </div>
  )
}
