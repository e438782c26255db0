import { useState } from 'react'
import { pathOf, withItem, withMovedItem, withoutItem } from '#lib/json-schema/change-value.ts'
import { cutText } from '#lib/json-schema/describe-schema.ts'
import { valueToAdd } from '#lib/json-schema/initial-value.ts'
import { planField } from '#lib/json-schema/plan-field.ts'
import { Button, IconButton } from '../button.tsx'
import { type FieldProps, faultsUnder, useForm } from './form-context.ts'
import { Group } from './group.tsx'
import styles from './schema-form.module.css'

/** So many at once; a value that was pasted may hold thousands. */
const AT_ONCE = 50

export function ArrayItems({
  plan,
  label,
  hint,
  fault,
  name,
  path,
  depth,
  value,
  required,
  onChange,
}: FieldProps<'array'>) {
  const { Place, root, faults } = useForm()
  const [shown, setShown] = useState(AT_ONCE)
  const items = value as unknown[]
  const [ids, setIds] = useState<number[]>([])
  // Each row keeps what it knows when it is moved; rows that came from elsewhere get names of their own.
  const rows = items.map((_, index) => ids[index] ?? Math.max(-1, ...ids) + 1 + index)
  const change = (next: unknown[], nextIds: number[]) => {
    setIds(nextIds)
    onChange(next)
  }
  const { first, rest, most = Number.POSITIVE_INFINITY } = plan
  const schemaAt = (index: number) => (index < first.length ? first[index] : (rest?.schema ?? {}))
  const mayAdd = items.length < most && (items.length < first.length || rest !== undefined)
  const drawn = items.slice(0, shown).map((_, index) => pathOf(path, index))
  const below = faultsUnder(faults, path, drawn)
  const add = () => {
    const schema = schemaAt(items.length)
    // What has no value yet is shown as an empty text, which the check speaks of if it is none.
    const start = valueToAdd(root, schema) ?? emptyOf(root, schema)
    change([...items, start], [...rows, Math.max(-1, ...rows) + 1])
    setShown(Math.max(shown, items.length + 1))
  }
  const remove = !required && (
    <IconButton
      small
      icon="trash"
      label={`Remove ${cutText(name, 40) || 'the list'}`}
      onClick={() => onChange(undefined)}
    />
  )
  return (
    <Group framed label={label} hint={hint} fault={fault} actions={remove}>
      {below.map(({ path: at, message }) => (
        <p key={at + message} className={styles.fault}>
          {cutText(at, 100)}: {message}
        </p>
      ))}
      {items.slice(0, shown).map((item, index) => (
        <div key={rows[index]} className={styles.row}>
          <Place
            schema={schemaAt(index)}
            name={String(index + 1)}
            path={pathOf(path, index)}
            depth={depth + 1}
            required
            unmarked
            value={item}
            onChange={(next) => change(withItem(items, index, next ?? emptyOf(root, schemaAt(index))), rows)}
          />
          <div className={styles.rowActions}>
            {first.length === 0 && (
              <>
                <IconButton
                  small
                  icon="up"
                  label={`Move ${index + 1} up`}
                  disabled={index === 0}
                  onClick={() => change(withMovedItem(items, index, index - 1), withMovedItem(rows, index, index - 1))}
                />
                <IconButton
                  small
                  icon="down"
                  label={`Move ${index + 1} down`}
                  disabled={index === items.length - 1}
                  onClick={() => change(withMovedItem(items, index, index + 1), withMovedItem(rows, index, index + 1))}
                />
              </>
            )}
            <IconButton
              small
              icon="trash"
              label={`Remove ${index + 1}`}
              onClick={() => change(withoutItem(items, index), withoutItem(rows, index) as number[])}
            />
          </div>
        </div>
      ))}
      {items.length > shown && (
        <Button small onClick={() => setShown(shown + AT_ONCE)}>
          Show {Math.min(AT_ONCE, items.length - shown)} more of {items.length}
        </Button>
      )}
      {items.length === 0 && <p className={styles.hint}>An empty list.</p>}
      {mayAdd && (
        <Button small icon="plus" onClick={add}>
          Add one
        </Button>
      )}
    </Group>
  )
}

/** What stands in a list where nothing was filled in yet: a list has no gaps. */
function emptyOf(root: unknown, schema: unknown): unknown {
  const { kind, nullable } = planField(root, schema)
  return nullable || kind === 'boolean' || kind === 'choice' || kind === 'union' || kind === 'json' ? null : ''
}
