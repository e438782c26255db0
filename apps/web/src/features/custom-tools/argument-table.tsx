import { useState } from 'react'
import type { CustomToolInput, CustomToolPlace } from '#domain/custom-tool.ts'
import { placesIn } from '#domain/custom-tool-address.ts'
import { hasBody } from '#domain/fill-request.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { SelectField, TextArea, TextField, Tick } from '#ui/field.tsx'
import styles from './custom-tools.module.css'
import { type ArgumentRow, type ArgumentType, rowsOf, withNewRow, withoutRow, withRow } from './tool-draft.ts'

const TYPES: Record<ArgumentType, string> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  array: 'list',
  object: 'object',
  other: 'see JSON',
}

interface TableProps {
  tool: CustomToolInput
  change: (tool: CustomToolInput) => void
  error: string | undefined
}

/** What a tool takes: row by row, or as JSON Schema. */
export function ArgumentTable({ tool, change, error }: TableProps) {
  const [isJson, setJson] = useState(false)
  const rows = rowsOf(tool)
  const missing = placesIn(tool.url).filter((name) => name !== '' && !rows.some((row) => row.name === name))
  return (
    <div className={styles.stack}>
      <div className={styles.actions}>
        {!isJson && (
          <Button small icon="plus" onClick={() => change(withNewRow(tool, 'argument'))}>
            Add an argument
          </Button>
        )}
        {missing.map((name) => (
          <Button
            key={name}
            small
            icon="plus"
            onClick={() => change(withRow(withNewRow(tool, name), name, { isRequired: true }))}
          >
            Add “{name}” of the address
          </Button>
        ))}
        <Button small look="quiet" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          JSON Schema
        </Button>
      </div>
      {isJson ? (
        <SchemaText tool={tool} change={change} />
      ) : rows.length === 0 ? (
        <EmptyState icon="edit" title="No arguments">
          The model fills these in when it calls the tool: a city, an order number, a search word.
        </EmptyState>
      ) : (
        <ol className={styles.rows}>
          {rows.map((row, index) => (
            // By its place: a name changes while it is typed.
            <ArgumentFields key={index} row={row} tool={tool} change={change} />
          ))}
        </ol>
      )}
      {error && <p className={styles.fault}>{error}</p>}
    </div>
  )
}

function ArgumentFields({ row, tool, change }: { row: ArgumentRow } & Omit<TableProps, 'error'>) {
  const set = (next: Partial<ArgumentRow>) => change(withRow(tool, row.name, next))
  const isInAddress = placesIn(tool.url).includes(row.name)
  const places: CustomToolPlace[] = isInAddress
    ? ['path']
    : ['query', 'header', ...(hasBody(tool.method) ? (['body'] as const) : [])]
  return (
    <li className={styles.row}>
      <div className={styles.rowFields}>
        <TextField
          label="Argument"
          value={row.name}
          maxLength={64}
          onChange={(event) => set({ name: event.target.value })}
        />
        <SelectField
          label="Type"
          value={row.type}
          onChange={(event) => set({ type: event.target.value as ArgumentType })}
        >
          {Object.entries(TYPES)
            .filter(([type]) => type !== 'other' || row.type === 'other')
            .map(([type, words]) => (
              <option key={type} value={type}>
                {words}
              </option>
            ))}
        </SelectField>
        <SelectField
          label="Goes into"
          value={row.place}
          disabled={isInAddress}
          onChange={(event) => set({ place: event.target.value as CustomToolPlace })}
        >
          {places.map((place) => (
            <option key={place} value={place}>
              {place === 'path' ? 'the address' : `the ${place}`}
            </option>
          ))}
        </SelectField>
        <TextField
          label="What it means"
          value={row.description}
          maxLength={500}
          onChange={(event) => set({ description: event.target.value })}
        />
      </div>
      <div className={styles.rowEnd}>
        <Tick label="Required" checked={row.isRequired} onChange={(isRequired) => set({ isRequired })} />
        <IconButton label={`Remove ${row.name}`} icon="trash" onClick={() => change(withoutRow(tool, row.name))} />
      </div>
    </li>
  )
}

/** The schema as text. What is no JSON object yet is said, and changes nothing. */
function SchemaText({ tool, change }: Omit<TableProps, 'error'>) {
  const [text, setText] = useState(() => JSON.stringify(tool.inputSchema, null, 2))
  const problem = problemIn(text)
  return (
    <TextArea
      label="JSON Schema"
      rows={14}
      spellCheck={false}
      className={styles.mono}
      value={text}
      error={problem}
      hint="One of an object. Its properties are the arguments; what a row cannot say (lists of choices, patterns, nested objects) is said here."
      onChange={(event) => {
        setText(event.target.value)
        if (problemIn(event.target.value) === undefined)
          change({ ...tool, inputSchema: JSON.parse(event.target.value) as Record<string, unknown> })
      }}
    />
  )
}

function problemIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'This is no JSON object.'
  } catch (error) {
    return `This is no JSON yet: ${(error as Error).message.slice(0, 120)}`
  }
}
