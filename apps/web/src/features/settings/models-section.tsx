import { useState } from 'react'
import type { ModelConnection } from '#domain/model-connection.ts'
import { plural } from '#lib/plural.ts'
import { model, models } from '#storage/live.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Line, Lines } from '#ui/lines.tsx'
import { Menu } from '#ui/menu.tsx'
import { Section } from '#ui/page.tsx'
import { showToast } from '#ui/toast.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { ModelForm } from './model-form.tsx'
import { type Preset, presets } from './model-presets.ts'
import styles from './settings.module.css'

type Editing = { preset: Preset } | { connectionId: string }

export function ModelsSection() {
  const engine = useEngine()
  const connections = useLive((db) => models(db), [])
  const [editing, setEditing] = useState<Editing>()
  // Read when it is opened: the list may not have yet what was just saved, which the next Save would undo.
  const opened = useLive(
    async (db) => (editing && 'connectionId' in editing ? model(db, editing.connectionId) : undefined),
    [editing],
  )
  const form = editing && ('preset' in editing ? editing : opened && { connection: opened })

  const remove = async ({ id, name }: ModelConnection) => {
    const { gpts } = await engine.deleteModel({ connectionId: id })
    const also = gpts > 0 ? ` ${plural(gpts, 'GPT')} used it.` : ''
    showToast(`Removed ${name} and its key.${also}`, {
      label: 'Undo',
      run: () => void engine.restoreModel({ connectionId: id }),
    })
  }
  return (
    <Section
      title="Models"
      hint="Your own key, straight from this browser to the service. Nothing goes through anybody else."
      actions={
        <Menu
          label="Connect a model"
          text="Connect a model"
          look="primary"
          items={presets.map((preset) => ({
            label: preset.label,
            hint: preset.hint,
            onSelect: () => setEditing({ preset }),
          }))}
        />
      }
    >
      <Lines>
        {connections?.map((connection) => (
          <Line key={connection.id}>
            <div>
              <strong>{connection.name}</strong>{' '}
              {connection.kind === 'practice' ? (
                <Badge tone="accent">built in</Badge>
              ) : (
                connection.hasKey && <Badge title="The key is in the vault and is never shown again">key stored</Badge>
              )}
              <p className={styles.soft}>
                {connection.kind === 'practice'
                  ? 'Works offline and costs nothing. It picks a tool by your words, calls it and reports: enough to try servers with.'
                  : `${connection.baseUrl} · ${plural(connection.models.length, 'model')}`}
              </p>
            </div>
            {connection.kind !== 'practice' && (
              <span className={styles.actions}>
                <Button small icon="edit" onClick={() => setEditing({ connectionId: connection.id })}>
                  Edit
                </Button>
                <Button small look="danger" onClick={() => void remove(connection)}>
                  Remove
                </Button>
              </span>
            )}
          </Line>
        ))}
      </Lines>
      <Dialog
        title={form && 'connection' in form ? `Edit ${form.connection.name}` : `Connect ${form?.preset.label ?? ''}`}
        open={form !== undefined}
        onClose={() => setEditing(undefined)}
      >
        {form && <ModelForm {...form} onDone={() => setEditing(undefined)} />}
      </Dialog>
    </Section>
  )
}
