import { useId } from 'react'
import { Link } from 'wouter'
import { acceptedMedia, carriesAudio } from '#domain/accepted-media.ts'
import { PRACTICE } from '#domain/model-connection.ts'
import { models } from '#storage/live.ts'
import { SelectField, TextField, Tick } from '#ui/field.tsx'
import { Section } from '#ui/page.tsx'
import { useLive } from '#wiring/use-live.ts'
import type { SectionProps } from './gpt-editor.tsx'
import styles from './gpt-editor.module.css'

/** An empty field is "not set"; anything else is the number, which storage judges. */
const numberOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text))

export function ModelSection({ gpt: { model, settings }, change }: SectionProps) {
  const list = useId()
  const connections = useLive((db) => models(db), [])
  const connection = connections?.find(({ id }) => id === model.connectionId)
  const isPractice = model.connectionId === PRACTICE.connectionId
  const accepts = connection && acceptedMedia(model, connection)
  const choose = (connectionId: string) => {
    const chosen = connections?.find(({ id }) => id === connectionId)
    change({
      model: { connectionId, modelId: chosen?.kind === 'practice' ? PRACTICE.modelId : (chosen?.models[0] ?? '') },
    })
  }
  return (
    <Section
      title="Model"
      hint={
        <>
          Connect services under <Link href="/settings/models">Settings, Models</Link>. The practice model is built in,
          works offline and costs nothing: it picks a tool by your words, and that is all it can do.
        </>
      }
    >
      <div className={styles.row}>
        <SelectField label="Service" value={model.connectionId} onChange={(event) => choose(event.target.value)}>
          {connections?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {connections && !connection && <option value={model.connectionId}>A connection that was removed</option>}
        </SelectField>
        {!isPractice && (
          <>
            <TextField
              label="Model"
              list={list}
              value={model.modelId}
              placeholder={connection?.models[0] ?? 'its name at the service'}
              error={model.modelId.trim() === '' ? 'Choose a model, or type its name.' : undefined}
              onChange={(event) => change({ model: { connectionId: model.connectionId, modelId: event.target.value } })}
            />
            <datalist id={list}>
              {connection?.models.map((id) => (
                <option key={id} value={id} />
              ))}
            </datalist>
          </>
        )}
      </div>
      {!isPractice && connection && accepts && (
        <div className={styles.row}>
          <Tick
            label="Accepts pictures"
            hint="If off, the model is told about pictures but doesn't get them."
            checked={accepts.pictures}
            onChange={(acceptsPictures) => change({ model: { ...model, acceptsPictures } })}
          />
          {carriesAudio(connection) && (
            <Tick
              label="Accepts audio"
              hint="WAV and MP3. If off, the model is told about sounds but doesn't get them."
              checked={accepts.audio}
              onChange={(acceptsAudio) => change({ model: { ...model, acceptsAudio } })}
            />
          )}
        </div>
      )}
      <div className={styles.row}>
        {!isPractice && (
          <>
            <TextField
              label="Temperature"
              hint="0 to 2; empty: the model's own"
              type="number"
              min={0}
              max={2}
              step={0.1}
              value={settings.temperature ?? ''}
              onChange={(event) => change({ settings: { temperature: numberOf(event.target.value) } })}
            />
            <TextField
              label="Longest answer"
              hint="In tokens; empty: the model's own"
              type="number"
              min={1}
              max={1_000_000}
              value={settings.maxOutputTokens ?? ''}
              onChange={(event) => change({ settings: { maxOutputTokens: numberOf(event.target.value) } })}
            />
          </>
        )}
        <TextField
          label="Tool calls per turn"
          hint="At most; then it stops and asks"
          type="number"
          min={1}
          max={100}
          value={settings.maxToolCalls}
          onChange={(event) => change({ settings: { maxToolCalls: numberOf(event.target.value) ?? 25 } })}
        />
      </div>
    </Section>
  )
}
