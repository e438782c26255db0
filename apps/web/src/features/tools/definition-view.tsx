import { visibleText } from '#lib/visible-text.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { JsonView } from '#ui/result/json-view.tsx'
import type { ToolDefinition } from '#wiring/commands.ts'
import styles from './definition-view.module.css'
import type { ReadDefinition } from './read-definition.ts'
import { SchemaTable } from './schema-table.tsx'

/** What a tool takes and gives, to be read; and the definition itself. */
export function DefinitionView({ definition, read }: { definition: ToolDefinition; read: ReadDefinition }) {
  const { json, isCut } = definition
  return (
    <div className={styles.definition}>
      <details>
        <summary>Parameters</summary>
        <SchemaTable label="Fields" schema={read.inputSchema} none="It takes no arguments." />
      </details>
      {read.outputSchema !== undefined && (
        <details>
          <summary>What it gives</summary>
          <SchemaTable
            label="Fields of what it gives"
            schema={read.outputSchema}
            none="Its output schema names no fields."
          />
        </details>
      )}
      <details>
        <summary>Definition as JSON</summary>
        {isCut ? (
          <>
            <p className={styles.note}>It is too long to be shown whole.</p>
            <pre className={styles.raw} tabIndex={0}>
              {visibleText(json.slice(0, 20_000))}
            </pre>
          </>
        ) : (
          <JsonView value={read.value} />
        )}
      </details>
      <div className={styles.copies}>
        <CopyButton withWords label="Copy schema" text={() => JSON.stringify(read.inputSchema, null, 2)} />
        <CopyButton withWords label="Copy definition" text={json} />
      </div>
    </div>
  )
}
