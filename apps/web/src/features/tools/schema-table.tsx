import { useMemo } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import { schemaRows } from './schema-rows.ts'
import styles from './schema-table.module.css'

/** A schema as a table of its fields. */
export function SchemaTable({ schema, label, none }: { schema: unknown; label: string; none: string }) {
  const { rows, isCut } = useMemo(() => schemaRows(schema), [schema])
  if (rows.length === 0) return <p className={styles.note}>{none}</p>
  return (
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">What it is</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, depth, type, isRequired, description, hints }, index) => (
            <tr key={index}>
              <th scope="row" className={styles[`depth${depth}`]}>
                <code>{visibleText(name)}</code>
                {isRequired && <span className={styles.needed}> needed</span>}
              </th>
              <td>{type}</td>
              <td>
                {description}
                {hints.length > 0 && <span className={styles.note}> {hints.join(' · ')}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isCut && <p className={styles.note}>There is more below; the definition as JSON has all of it.</p>}
    </div>
  )
}
