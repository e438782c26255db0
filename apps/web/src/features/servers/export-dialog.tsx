import { useState } from 'react'
import type { Server } from '#domain/server.ts'
import { type ConfigurationStyle, configurationStyles, writeConfiguration } from '#domain/write-configuration.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { download } from '#ui/download.ts'
import { SelectField } from '#ui/field.tsx'
import styles from './servers.module.css'

const STYLES: Record<ConfigurationStyle, { label: string; hint: string }> = {
  'mcp.json': { label: 'mcp.json', hint: 'For Claude, Cursor, Cline and most others' },
  vscode: { label: 'VS Code', hint: 'For .vscode/mcp.json; it asks for what is missing' },
  windsurf: { label: 'Windsurf', hint: 'For mcp_config.json' },
  gemini: { label: 'Gemini CLI', hint: 'For its settings.json' },
  zed: { label: 'Zed', hint: 'For its settings.json' },
  opencode: { label: 'opencode', hint: 'For opencode.json' },
}

/** Servers as a file for other clients. The page knows no secrets, so there are none in it. */
export function ExportDialog({ servers, onClose }: { servers: readonly Server[] | undefined; onClose: () => void }) {
  const [style, setStyle] = useState<ConfigurationStyle>('mcp.json')
  const { text, file, left } = writeConfiguration(servers ?? [], style)
  const title = servers?.length === 1 ? `Export “${servers[0]?.name}”` : 'Export all servers'
  return (
    <Dialog
      title={title}
      open={servers !== undefined}
      onClose={onClose}
      footer={
        <>
          <CopyButton text={text} label="Copy" withWords />
          <Button look="primary" icon="download" onClick={() => download(file, text)}>
            Download
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <SelectField
          label="Format"
          hint={STYLES[style].hint}
          value={style}
          onChange={(event) => setStyle(event.target.value as ConfigurationStyle)}
        >
          {configurationStyles.map((value) => (
            <option key={value} value={value}>
              {STYLES[value].label}
            </option>
          ))}
        </SelectField>
        <pre className={styles.stderr} role="region" aria-label="The file" tabIndex={0}>
          {visibleText(text)}
        </pre>
        <p className={styles.soft}>
          No keys and no permissions are in it: where a key is needed stands what asks for it.
        </p>
        {left.length > 0 && (
          <ul className={styles.soft} aria-label="Left out">
            {left.map((sentence) => (
              <li key={sentence}>{visibleText(sentence)}</li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
