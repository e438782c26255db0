import { type SyntheticEvent, useState } from 'react'
import { Link } from 'wouter'
import { type CustomTool, type CustomToolInput, type CustomToolMethod } from '#domain/custom-tool.ts'
import { type CustomToolFault, customToolFaults } from '#domain/custom-tool-faults.ts'
import { hasBody } from '#domain/fill-request.ts'
import type { Server } from '#domain/server.ts'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { SelectField, TextArea, TextField, Tick } from '#ui/field.tsx'
import { Page, Section } from '#ui/page.tsx'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { ArgumentTable } from './argument-table.tsx'
import styles from './custom-tools.module.css'
import { TestCall } from './test-call.tsx'
import { freshTool, inputOf } from './tool-draft.ts'

const METHODS: readonly CustomToolMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** One tool of a collection: what the model is told of it, and what is asked when it is called. */
export function ToolEditor({
  server,
  tool,
  neighbours,
}: {
  server: Server
  tool: CustomTool | undefined
  neighbours: readonly CustomTool[]
}) {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  const [draft, setDraft] = useState<CustomToolInput>(() => (tool ? inputOf(tool) : freshTool(server.url)))
  const [isTried, setTried] = useState(false)
  const { run, isBusy, failure } = useDeed()
  const change = (next: Partial<CustomToolInput>) => setDraft((before) => ({ ...before, ...next }))
  const taken = neighbours.filter(({ id }) => id !== tool?.id).map(({ name }) => name)
  const faults = customToolFaults(draft, taken)
  const back = `/servers/${server.id}/custom`

  /** What is empty is not wrong before somebody wants to save it. */
  const fault = (field: CustomToolFault['field']): string | undefined => {
    const isBegun = field === 'inputSchema' || draft[field] !== (field === 'url' ? server.url : '')
    return isTried || isBegun ? faults.find((one) => one.field === field)?.message : undefined
  }
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (faults.length > 0) return
    const known = tool ? { toolId: tool.id } : {}
    void run(() => engine.saveCustomTool({ serverId: server.id, tool: draft, ...known })).then((saved) => {
      if (!saved) return
      showToast(`Saved “${draft.name}”.`)
      go(back)
    })
  }
  const claim = (key: keyof CustomToolInput['annotations'], isTrue: boolean) => {
    const { [key]: _, ...annotations } = draft.annotations
    change({ annotations: isTrue ? { ...annotations, [key]: true } : annotations })
  }
  return (
    <Page title={tool ? tool.name : 'New custom tool'}>
      <form className={styles.stack} onSubmit={save} noValidate>
        <div className={styles.form}>
          <TextField
            label="Name"
            required
            maxLength={50}
            autoFocus={!tool}
            spellCheck={false}
            value={draft.name}
            placeholder="find_order"
            error={fault('name')}
            hint="What models call it: letters, digits, _ and -, up to 50."
            onChange={(event) => change({ name: event.target.value.replaceAll(' ', '_') })}
          />
          <TextArea
            label="Description"
            required
            rows={3}
            value={draft.description}
            placeholder="Finds an order by its number and says where it is."
            error={fault('description')}
            hint={`The model chooses by these words. ${draft.description.length} of 500 characters.`}
            onChange={(event) => change({ description: event.target.value })}
          />
          <div className={styles.address}>
            <SelectField
              label="Method"
              value={draft.method}
              onChange={(event) => {
                const method = event.target.value as CustomToolMethod
                const { readOnly: _, ...others } = draft.annotations
                // What only reads is said by the method; whoever knows better says so below.
                change({ method, annotations: method === 'GET' ? { ...others, readOnly: true } : others })
              }}
            >
              {METHODS.map((method) => (
                <option key={method}>{method}</option>
              ))}
            </SelectField>
            <TextField
              label="Address"
              required
              inputMode="url"
              spellCheck={false}
              value={draft.url}
              placeholder="https://api.example.com/orders/{id}"
              error={fault('url')}
              hint="{id} is filled with the argument id."
              onChange={(event) => change({ url: event.target.value.trim() })}
            />
          </div>
          {hasBody(draft.method) && (
            <SelectField
              label="Body"
              value={draft.bodyType ?? 'json'}
              onChange={(event) => {
                const { bodyType: _, ...rest } = draft
                setDraft(event.target.value === 'form' ? { ...rest, bodyType: 'form' } : rest)
              }}
            >
              <option value="json">as JSON</option>
              <option value="form">as a form</option>
            </SelectField>
          )}
        </div>
        <Section
          title="What it takes"
          hint="The model fills these in. Each goes into the address, the query, a header or the body."
        >
          <ArgumentTable tool={draft} change={setDraft} error={fault('inputSchema')} />
        </Section>
        <Section
          title="What it does"
          hint="Claims like those of any server: they count once you believe this collection (in its settings)."
        >
          <Tick
            label="It changes nothing"
            checked={draft.annotations.readOnly === true}
            onChange={(isTrue) => claim('readOnly', isTrue)}
          />
          <Tick
            label="It may destroy something"
            checked={draft.annotations.destructive === true}
            onChange={(isTrue) => claim('destructive', isTrue)}
          />
          <Tick
            label="Twice is the same as once"
            checked={draft.annotations.idempotent === true}
            onChange={(isTrue) => claim('idempotent', isTrue)}
          />
        </Section>
        <Section
          title="Try it"
          hint="Before you save, or after. It goes out from here, with the key of the collection where the address is its own."
        >
          <TestCall tool={draft} server={server} isUsable={faults.length === 0} />
        </Section>
        {failure && <Explained {...explain(failure)} action={undefined} />}
        <div className={styles.actions}>
          <Button look="primary" type="submit" busy={isBusy}>
            Save
          </Button>
          <Link href={back}>Cancel</Link>
          {isTried && faults.length > 0 && <span className={styles.fault}>Not saved: {faults[0]?.message}</span>}
        </div>
      </form>
    </Page>
  )
}
