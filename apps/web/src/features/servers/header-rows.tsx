import { Button, IconButton } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import type { HeaderRow } from './server-draft.ts'
import styles from './servers.module.css'

/** Headers that go with every request, such as one that says which tenant asks. */
export function HeaderRows({ rows, change }: { rows: readonly HeaderRow[]; change: (rows: HeaderRow[]) => void }) {
  const set = (at: number, next: Partial<HeaderRow>) =>
    change(rows.map((row, index) => (index === at ? { ...row, ...next } : row)))
  return (
    <fieldset className={styles.rows}>
      <legend className={styles.legend}>Headers</legend>
      {rows.map((row, at) => (
        // A row has no other name: what it is called is being typed.
        <div key={at} className={styles.row}>
          <TextField
            label={`Name of header ${at + 1}`}
            value={row.name}
            placeholder="x-tenant"
            readOnly={row.isStored}
            onChange={(event) => set(at, { name: event.target.value.trim() })}
          />
          <TextField
            label={`Value of header ${at + 1}`}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={row.value}
            placeholder={row.isStored ? 'stored; type to replace it' : ''}
            onChange={(event) => set(at, { value: event.target.value })}
          />
          <IconButton
            label={`Remove header ${row.name || at + 1}`}
            icon="trash"
            onClick={() => change(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div>
        <Button
          small
          icon="plus"
          onClick={() => change([...rows, { name: '', value: '', isStored: false }])}
          disabled={rows.length >= 30}
        >
          Add a header
        </Button>
      </div>
      <p className={styles.soft}>Sent with every request. Values are kept in the vault and never shown again.</p>
    </fieldset>
  )
}
