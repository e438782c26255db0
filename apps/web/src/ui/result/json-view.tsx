import { useState } from 'react'
import { fileSize } from '#lib/file-size.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { bytesOf } from '#lib/in-words.ts'
import { asTable, type TableOf } from './as-table.ts'
import styles from './json-view.module.css'

const MAX_ENTRIES = 100
const MAX_CHARACTERS = 2_000
/** So deep a tree is open at first; the rest is drawn when somebody opens it. */
const OPEN_DEPTH = 2

/** JSON as a tree that opens, a list of like objects as a table. */
export function JsonView({ value }: { value: unknown }) {
  return (
    <div className={styles.view}>
      <JsonNode value={value} depth={0} />
      <div className={styles.copy}>
        <CopyButton text={() => JSON.stringify(value, null, 2)} label="Copy JSON" />
      </div>
    </div>
  )
}

function JsonNode({ value, depth }: { value: unknown; depth: number }) {
  if (typeof value === 'string') return <JsonString text={value} />
  if (typeof value !== 'object' || value === null) return <span className={styles.plain}>{String(value)}</span>
  const table = asTable(value)
  if (table) return <JsonTable {...table} />
  const entries = Object.entries(value)
  if (entries.length === 0) return <span className={styles.plain}>{Array.isArray(value) ? '[]' : '{}'}</span>
  return <Branch entries={entries} isList={Array.isArray(value)} depth={depth} />
}

/** A text of megabytes in one line would stop the screen: the rest is drawn when somebody wants it. */
function JsonString({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(text.length <= MAX_CHARACTERS)
  const shown = isWhole ? text : text.slice(0, MAX_CHARACTERS)
  return (
    <>
      <span className={styles.string}>{visibleText(JSON.stringify(shown))}</span>
      {!isWhole && (
        <>
          {' '}
          <Button small onClick={() => setWhole(true)}>
            Show all {fileSize(bytesOf(text))}
          </Button>
        </>
      )}
    </>
  )
}

function Branch({ entries, isList, depth }: { entries: [string, unknown][]; isList: boolean; depth: number }) {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH)
  const [count, setCount] = useState(MAX_ENTRIES)
  return (
    <details className={styles.branch} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{plural(entries.length, isList ? 'item' : 'field')}</summary>
      {isOpen && (
        <ul>
          {entries.slice(0, count).map(([name, child]) => (
            <li key={name}>
              <span className={styles.name}>{visibleText(name)}</span> <JsonNode value={child} depth={depth + 1} />
            </li>
          ))}
        </ul>
      )}
      {isOpen && entries.length > count && (
        <Button small onClick={() => setCount(count + MAX_ENTRIES)}>
          Show more ({entries.length - count} left)
        </Button>
      )}
    </details>
  )
}

function JsonTable({ columns, rows }: TableOf) {
  const [count, setCount] = useState(MAX_ENTRIES)
  return (
    <div className={styles.scroll} role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {visibleText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, count).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} className={typeof row[column] === 'number' ? styles.number : undefined}>
                  {row[column] === undefined ? '' : visibleText(String(row[column]))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > count && (
        <Button small onClick={() => setCount(count + MAX_ENTRIES)}>
          Show more ({rows.length - count} left)
        </Button>
      )}
    </div>
  )
}
