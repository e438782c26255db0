import { useRef, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { TextArea, TextField } from '#ui/field.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import styles from './custom-tools.module.css'

const MAX_FILE = 20 * 1024 * 1024

/** Where a document comes from: pasted, a file, or an address that is asked only when the user says so. */
export function DocumentSource({ isBusy, onText }: { isBusy: boolean; onText: (text: string, from?: string) => void }) {
  const engine = useEngine()
  const [text, setText] = useState('')
  const [url, setUrl] = useState('')
  const [problem, setProblem] = useState<string>()
  const fetching = useDeed()
  const file = useRef<HTMLInputElement>(null)
  const take = async (chosen: File | undefined) => {
    if (!chosen) return
    const isLarge = chosen.size > MAX_FILE
    setProblem(isLarge ? `${chosen.name} is larger than 20 MB, which is as much as is read.` : undefined)
    if (!isLarge) onText(await chosen.text())
  }
  return (
    <div className={styles.stack}>
      <TextArea
        label="Paste the document"
        rows={8}
        spellCheck={false}
        className={styles.mono}
        value={text}
        placeholder={'openapi: 3.1.0\ninfo: …'}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles.actions}>
        <Button look="primary" busy={isBusy} disabled={text.trim() === ''} onClick={() => onText(text)}>
          Read it
        </Button>
        <Button icon="archive" onClick={() => file.current?.click()}>
          Choose a file
        </Button>
        <input
          ref={file}
          className="visually-hidden"
          type="file"
          aria-label="OpenAPI document"
          tabIndex={-1}
          accept=".json,.yaml,.yml,application/json,application/yaml,text/yaml"
          onChange={(event) => {
            void take(event.target.files?.[0])
            // The same file again is a change too.
            event.target.value = ''
          }}
        />
      </div>
      {problem && <p className={styles.fault}>{problem}</p>}
      <form
        className={styles.fetch}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void fetching
            .run(() => engine.fetchDocument({ url }))
            .then((found) => {
              if (found) onText(found.text, url)
            })
        }}
      >
        <TextField
          label="Or its address"
          inputMode="url"
          spellCheck={false}
          value={url}
          placeholder="https://api.example.com/openapi.json"
          hint="Asked once, when you press the button, and without any key."
          onChange={(event) => setUrl(event.target.value.trim())}
        />
        <Button type="submit" icon="download" busy={fetching.isBusy} disabled={url === ''}>
          Fetch
        </Button>
      </form>
      {fetching.failure && <Explained {...explain(fetching.failure)} action={undefined} />}
    </div>
  )
}
