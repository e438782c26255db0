import { useState } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Explained } from '#ui/explained.tsx'
import { FileButton } from '#ui/file-button.tsx'
import { GptIcon } from '#ui/gpt-icon.tsx'
import { Notice } from '#ui/notice.tsx'
import type { GptPreview } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import styles from './import-gpt.module.css'

/** Takes a GPT from a file, after showing what is in it. */
export function ImportGpt() {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  const { run, isBusy, failure } = useDeed()
  const [file, setFile] = useState<{ text: string; preview: GptPreview | undefined }>()
  const close = () => setFile(undefined)
  const look = async (chosen: File) => {
    const text = await chosen.text()
    setFile({ text, preview: undefined })
    await run(async () => setFile({ text, preview: await engine.readGptFile({ text }) }))
  }
  const take = (text: string) =>
    void run(async () => {
      const { gptId } = await engine.importGpt({ text })
      go(`/gpts/${gptId}`)
    })
  const preview = file?.preview
  return (
    <>
      <FileButton accept=".json,application/json" onFile={(chosen) => void look(chosen)}>
        Import a GPT
      </FileButton>
      {file && (
        <Dialog
          title={preview ? `Import “${visibleText(preview.name)}”?` : 'Import a GPT'}
          open
          onClose={close}
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              {preview && (
                <Button look="primary" busy={isBusy} onClick={() => take(file.text)}>
                  Import it
                </Button>
              )}
            </>
          }
        >
          {preview && <Preview {...preview} />}
          {failure && <Explained {...explain(failure)} />}
        </Dialog>
      )}
    </>
  )
}

function Preview({ name, description, icon, instructions, model, servers, allowedEverywhere }: GptPreview) {
  return (
    <div className={styles.preview}>
      <p className={styles.who}>
        <GptIcon icon={icon} name={name} /> {visibleText(description)}
      </p>
      {instructions && (
        <details>
          <summary>What it is told ({instructions.length} characters)</summary>
          <pre className={styles.instructions} tabIndex={0}>
            {visibleText(instructions)}
          </pre>
        </details>
      )}
      {model && <p>It was made with {visibleText(model)}. Here it begins with the practice model.</p>}
      {servers.length > 0 && (
        <ul className={styles.servers}>
          {servers.map((server) => (
            <li key={server.place}>
              <strong>{visibleText(server.name)}</strong> <span>{visibleText(server.place)}</span>{' '}
              <Badge>{server.isHere ? 'you have it' : 'added, switched off'}</Badge>
            </li>
          ))}
        </ul>
      )}
      <p>
        It arrives with <strong>Always ask</strong>, whatever it was allowed elsewhere. New servers arrive untrusted and
        switched off.
      </p>
      {allowedEverywhere.length > 0 && (
        <Notice tone="warn" title="Some tools will still run without asking">
          You allowed these for every GPT, so for this one too:{' '}
          {allowedEverywhere
            .map(({ serverName, toolName }) => `${visibleText(toolName)} (${visibleText(serverName)})`)
            .join(', ')}
          . You can revoke that under Settings, Approvals.
        </Notice>
      )}
    </div>
  )
}
