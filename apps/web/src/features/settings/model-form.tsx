import { type SyntheticEvent, useState } from 'react'
import type { ModelConnection } from '#domain/model-connection.ts'
import { plural } from '#lib/plural.ts'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import type { ModelInput, ModelReport } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { type Preset, presets } from './model-presets.ts'
import styles from './settings.module.css'

type Props = ({ preset: Preset } | { connection: ModelConnection }) & { onDone: () => void }

export function ModelForm(props: Props) {
  const engine = useEngine()
  const known = 'connection' in props ? props.connection : undefined
  const given = 'preset' in props ? props.preset : props.connection
  const preset = 'preset' in props ? props.preset : presets.find(({ kind }) => kind === given.kind)
  const [model, setModel] = useState<ModelInput>({
    kind: given.kind,
    name: given.name,
    baseUrl: given.baseUrl,
    api: given.api,
  })
  const [key, setKey] = useState('')
  const [report, setReport] = useState<ModelReport>()
  const testing = useDeed()
  const saving = useDeed()
  const forgetTest = () => {
    testing.letGo()
    setReport(undefined)
  }
  const change = (next: Partial<ModelInput>) => {
    setModel({ ...model, ...next })
    forgetTest()
  }

  const input = { model, ...(key ? { key } : {}), ...(known ? { connectionId: known.id } : {}) }
  const test = () =>
    void testing.run(async (isWanted) => {
      const found = await engine.testModel(input)
      if (isWanted()) setReport(found)
    })
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    void saving.run(async (isWanted) => {
      await engine.saveModel(input)
      if (isWanted()) props.onDone()
    })
  }
  const failure = saving.failure ?? testing.failure ?? report?.failure
  return (
    <form className={styles.form} onSubmit={save}>
      {preset && <p className={styles.soft}>{preset.help}</p>}
      <TextField
        label="Name"
        required
        maxLength={100}
        value={model.name}
        placeholder="What you call it"
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label="Address"
        required
        inputMode="url"
        value={model.baseUrl}
        placeholder="https://…/v1"
        onChange={(event) => change({ baseUrl: event.target.value.trim() })}
      />
      {model.kind === 'openai' && (
        <SelectField
          label="Interface"
          value={model.api}
          onChange={(event) => change({ api: event.target.value === 'chat' ? 'chat' : 'responses' })}
        >
          <option value="responses">Responses</option>
          <option value="chat">Chat completions</option>
        </SelectField>
      )}
      <TextField
        label="Key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        required={preset?.needsKey === true && !known?.hasKey}
        value={key}
        placeholder={known?.hasKey ? 'stored; type to replace it' : preset?.needsKey ? '' : 'only if it needs one'}
        hint="Kept in the vault, used by the engine alone, and never shown again."
        onChange={(event) => {
          setKey(event.target.value.trim())
          forgetTest()
        }}
      />
      {failure && <Explained {...explain(failure)} action={undefined} />}
      {report && !report.failure && (
        <Notice tone="good" title="It answers">
          {report.models.length > 0
            ? `${plural(report.models.length, 'model')}: ${report.models.slice(0, 5).join(', ')}${report.models.length > 5 ? ' …' : ''}`
            : 'It lists no models; type the name of one in a GPT.'}
        </Notice>
      )}
      <div className={styles.actions}>
        <Button busy={testing.isBusy} onClick={test}>
          {testing.isBusy ? 'Testing…' : 'Test'}
        </Button>
        <Button look="primary" type="submit" busy={saving.isBusy}>
          Save
        </Button>
      </div>
    </form>
  )
}
