import { useMemo, useState } from 'react'
import type { OfferedOperation } from '#domain/openapi/read-openapi.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import styles from './custom-tools.module.css'

/** The operations of a document, to be ticked. `nameOf` is what the tool will be called. */
export function OperationList({
  operations,
  chosen,
  onChange,
  nameOf,
}: {
  operations: readonly OfferedOperation[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  nameOf: (operation: OfferedOperation) => string
}) {
  const [words, setWords] = useState('')
  const [tag, setTag] = useState('')
  const tags = useMemo(() => [...new Set(operations.map((one) => one.tag).filter(Boolean))].sort(), [operations])
  const shown = useMemo(() => {
    const wanted = words.trim().toLowerCase()
    return operations.filter(
      (one) =>
        (tag === '' || one.tag === tag) &&
        `${one.method} ${one.path} ${one.name} ${one.summary}`.toLowerCase().includes(wanted),
    )
  }, [operations, words, tag])
  const usable = shown.filter(({ problem }) => problem === undefined)
  const set = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen)
    for (const id of ids)
      if (isChosen) next.add(id)
      else next.delete(id)
    onChange(next)
  }
  const ids = usable.map(({ id }) => id)
  return (
    <div className={styles.stack}>
      <div className={styles.filters}>
        <TextField
          label="Find an operation"
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        {tags.length > 1 && (
          <SelectField label="Group" value={tag} onChange={(event) => setTag(event.target.value)}>
            <option value="">All</option>
            {tags.map((one) => (
              <option key={one} value={one}>
                {visibleText(one)}
              </option>
            ))}
          </SelectField>
        )}
        <div className={styles.actions}>
          <Button small onClick={() => set(ids, true)}>
            Tick {shown.length === operations.length ? 'all' : `these ${usable.length}`}
          </Button>
          <Button small onClick={() => set(ids, false)}>
            Untick
          </Button>
        </div>
      </div>
      <p className={styles.soft} role="status">
        {plural(chosen.size, 'operation')} of {operations.length} ticked
        {shown.length < operations.length && `, ${shown.length} shown`}
      </p>
      <ul className={styles.operations}>
        {shown.map((operation) => (
          <Operation
            key={operation.id}
            operation={operation}
            name={nameOf(operation)}
            isChosen={chosen.has(operation.id)}
            onChange={(isChosen) => set([operation.id], isChosen)}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className={styles.soft}>No operation has these words.</p>}
    </div>
  )
}

function Operation({
  operation: { id, method, path, summary, isDeprecated, arguments: args, notes, problem },
  name,
  isChosen,
  onChange,
}: {
  operation: OfferedOperation
  name: string
  isChosen: boolean
  onChange: (isChosen: boolean) => void
}) {
  const about = `about ${id}`
  return (
    <li className={styles.operation}>
      <label className={styles.operationHead}>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={problem !== undefined}
          aria-describedby={about}
          onChange={(event) => onChange(event.target.checked)}
        />
        <Badge tone={method === 'DELETE' ? 'warn' : 'plain'}>{method}</Badge>
        <code className={styles.path}>{visibleText(path)}</code>
        {isDeprecated && <Badge tone="warn">deprecated</Badge>}
      </label>
      <div id={about} className={styles.operationWords}>
        {summary && <p>{visibleText(summary)}</p>}
        {problem === undefined ? (
          <p className={styles.soft}>
            Becomes <code>{name}</code>
            {args.length > 0 && ', takes '}
            {args.map((one, index) => (
              <span key={one.name}>
                {index > 0 && ', '}
                <code>{visibleText(one.name)}</code> ({one.place}
                {one.isRequired && ', required'})
              </span>
            ))}
          </p>
        ) : (
          <p className={styles.fault}>{problem}</p>
        )}
        {notes.length > 0 && (
          <details>
            <summary className={styles.soft}>{plural(notes.length, 'note')}</summary>
            <ul className={styles.notes}>
              {notes.map((note) => (
                <li key={note}>{visibleText(note)}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  )
}
