import { type ReactNode, useEffect, useState } from 'react'
import { whyNotAttach } from '#domain/attachment-limits.ts'
import { attachResource } from '#domain/attachments.ts'
import { type Failure, failureOf } from '#domain/failure.ts'
import { insertPrompt } from '#domain/insert-prompt.ts'
import type { Attachment } from '#domain/message.ts'
import type { FilledPrompt, ListedPrompt, ListedResource, ListedTemplate } from '#domain/resource.ts'
import type { Server } from '#domain/server.ts'
import { expandTemplate, variablesOf } from '#domain/uri-template.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { servers as allServers } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Notice } from '#ui/notice.tsx'
import { ArgumentForm } from '#ui/offers/argument-form.tsx'
import { Offer, sizeInWords } from '#ui/offers/offer.tsx'
import { OfferPicker, type Pickable } from '#ui/offers/offer-picker.tsx'
import { PromptFiller } from '#ui/offers/prompt-filler.tsx'
import { useDeed } from '#wiring/use-deed.ts'
import { type Engine, useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { FailureNotice } from '../failure-notice.tsx'
import styles from './attach-dialog.module.css'
import type { Picking } from './opened-by.ts'

type Stage =
  | { at: 'list' }
  | { at: 'template'; server: Server; template: ListedTemplate; canComplete: boolean }
  | { at: 'prompt'; server: Server; prompt: ListedPrompt; canComplete: boolean }

/** Prompts and resources of the servers of a GPT, to put into a message. What is chosen is shown there; nothing is sent from here. */
export function AttachDialog({
  picking,
  serverIds,
  attachments,
  onInsert,
  onClose,
}: {
  picking: Picking
  serverIds: readonly string[]
  /** Those that are there already. */
  attachments: readonly Attachment[]
  onInsert: (text: string, attachments: Attachment[]) => void
  onClose: () => void
}) {
  const engine = useEngine()
  const { isBusy, failure, run, letGo } = useDeed()
  const [stage, setStage] = useState<Stage>({ at: 'list' })
  const [problem, setProblem] = useState<string>()
  const insert = (text: string, added: readonly Attachment[], problems: readonly string[] = []) => {
    const tooMuch = whyNotAttach([...attachments, ...added])
    const [first] = tooMuch === undefined ? problems : [tooMuch]
    // What could not be taken along is said once; taken a second time, it is known.
    if (first !== undefined && (tooMuch !== undefined || problem === undefined)) return setProblem(first)
    onInsert(text, [...added])
  }
  const read = (server: Server, uri: string, name: string) =>
    void run(async (isWanted) => {
      setProblem(undefined)
      const { parts } = await engine.readResource({ serverId: server.id, uri })
      if (!isWanted()) return
      const made = attachResource(parts, { serverId: server.id, serverName: server.name }, name)
      if ('problem' in made) setProblem(made.problem)
      else insert('', made.attachments)
    })
  return (
    <Dialog title={picking === 'prompts' ? 'Use a prompt' : 'Attach a resource'} open onClose={onClose}>
      <div className={styles.body} aria-busy={isBusy}>
        {problem !== undefined && (
          <Notice tone="warn" title="Not everything can be attached">
            {visibleText(problem)}
          </Notice>
        )}
        {failure && stage.at !== 'prompt' && <FailureNotice failure={failure} />}
        {stage.at === 'list' ? (
          picking === 'prompts' ? (
            <Prompts serverIds={serverIds} onPick={(prompt) => setStage({ at: 'prompt', ...prompt })} />
          ) : (
            <Resources
              serverIds={serverIds}
              onPick={(server, { uri, title, name }) => read(server, uri, title || name)}
              onPickTemplate={(template) => setStage({ at: 'template', ...template })}
            />
          )
        ) : stage.at === 'template' ? (
          <Template {...stage} isBusy={isBusy} onEdit={letGo} onRead={(uri) => read(stage.server, uri, uri)} />
        ) : (
          <Filled {...stage} engine={engine} onInsert={insert} />
        )}
        {stage.at !== 'list' && (
          <div>
            <Button
              small
              look="quiet"
              icon="left"
              onClick={() => {
                letGo()
                setStage({ at: 'list' })
              }}
            >
              Back to the list
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

interface FromServer<T> {
  server: Server
  value?: T
  failure?: Failure
}

/** What each server that is on answers, as it comes: a slow one keeps nobody waiting for the others. */
function useFromServers<T>(serverIds: readonly string[], ask: (engine: Engine, serverId: string) => Promise<T>) {
  const engine = useEngine()
  const servers = useLive(
    async (db) => (await allServers(db)).filter(({ id, enabled }) => enabled && serverIds.includes(id)),
    [serverIds.join(' ')],
  )
  const [answers, setAnswers] = useState<ReadonlyMap<string, { value?: T; failure?: Failure }>>(new Map())
  const ids = servers?.map(({ id }) => id).join(' ')
  useEffect(() => {
    let isOver = false
    const keep = (id: string, answer: { value?: T; failure?: Failure }) => {
      if (!isOver) setAnswers((before) => new Map(before).set(id, answer))
    }
    for (const { id } of servers ?? [])
      ask(engine, id).then(
        (value) => keep(id, { value }),
        (error: unknown) => keep(id, { failure: failureOf(error) }),
      )
    return () => {
      isOver = true
    }
  }, [engine, ids])
  const all: FromServer<T>[] = (servers ?? []).map((server) => ({ server, ...answers.get(server.id) }))
  return { all, isWaiting: !servers || all.some(({ value, failure }) => value === undefined && !failure) }
}

function Found({
  label,
  all,
  isWaiting,
  items,
  empty,
}: {
  label: string
  all: readonly FromServer<unknown>[]
  isWaiting: boolean
  items: Pickable[]
  empty: ReactNode
}) {
  return (
    <>
      {/* There from the start, so that whoever types on types into it. */}
      <OfferPicker label={label} items={items} startsFocused empty={isWaiting ? null : <p>{empty}</p>} />
      {isWaiting && (
        <p className={styles.note} role="status">
          Asking the servers…
        </p>
      )}
      {all.map(
        ({ server, failure }) =>
          failure && (
            <p key={server.id} className={styles.note}>
              {visibleText(server.name)}: {visibleText(failure.message)}
            </p>
          ),
      )}
    </>
  )
}

function Resources({
  serverIds,
  onPick,
  onPickTemplate,
}: {
  serverIds: readonly string[]
  onPick: (server: Server, resource: ListedResource) => void
  onPickTemplate: (template: { server: Server; template: ListedTemplate; canComplete: boolean }) => void
}) {
  const { all, isWaiting } = useFromServers(serverIds, async (engine, serverId) => ({
    resources: (await engine.listResources({ serverId })).items,
    templates: await engine.listResourceTemplates({ serverId }),
  }))
  const items = all.flatMap(({ server, value }) => [
    ...(value?.resources ?? []).map((resource, index) => ({
      key: `${server.id} ${index} ${resource.uri}`,
      words: `${resource.title} ${resource.name} ${resource.uri} ${server.name}`,
      onPick: () => onPick(server, resource),
      drawn: (
        <Offer
          {...resource}
          icon={resource.icon}
          fallback="archive"
          details={[server.name, resource.mimeType, sizeInWords(resource.size)]}
        />
      ),
    })),
    ...(value?.templates.items ?? []).map((template) => ({
      key: `${server.id} template ${template.uriTemplate}`,
      words: `${template.title} ${template.name} ${template.uriTemplate} ${server.name}`,
      onPick: () => onPickTemplate({ server, template, canComplete: value?.templates.canComplete ?? false }),
      drawn: <Offer {...template} icon={template.icon} fallback="edit" details={[server.name, template.uriTemplate]} />,
    })),
  ])
  const empty = 'The servers of this GPT offer no resources. What there is on others is under Servers.'
  return <Found label="resources" all={all} isWaiting={isWaiting} items={items} empty={empty} />
}

function Prompts({
  serverIds,
  onPick,
}: {
  serverIds: readonly string[]
  onPick: (prompt: { server: Server; prompt: ListedPrompt; canComplete: boolean }) => void
}) {
  const { all, isWaiting } = useFromServers(serverIds, (engine, serverId) => engine.listPrompts({ serverId }))
  const items = all.flatMap(({ server, value }) =>
    (value?.items ?? []).map((prompt) => ({
      key: `${server.id} ${prompt.name}`,
      words: `${prompt.title} ${prompt.name} ${prompt.description} ${server.name}`,
      onPick: () => onPick({ server, prompt, canComplete: value?.canComplete ?? false }),
      drawn: (
        <Offer
          {...prompt}
          icon={prompt.icon}
          fallback="sparkle"
          details={[server.name, prompt.arguments.length > 0 ? plural(prompt.arguments.length, 'argument') : undefined]}
        />
      ),
    })),
  )
  const empty = 'The servers of this GPT offer no prompts.'
  return <Found label="prompts" all={all} isWaiting={isWaiting} items={items} empty={empty} />
}

function Template({
  server,
  template: { uriTemplate, title, name },
  canComplete,
  isBusy,
  onEdit,
  onRead,
}: {
  server: Server
  template: ListedTemplate
  canComplete: boolean
  isBusy: boolean
  onEdit: () => void
  onRead: (uri: string) => void
}) {
  const engine = useEngine()
  const [values, setValues] = useState<Record<string, string>>({})
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const fields = variablesOf(uriTemplate).map((one) => ({ name: one, title: '', description: '', isRequired: false }))
  return (
    <>
      <h3>
        {visibleText(title || name)} <span className={styles.note}>{visibleText(server.name)}</span>
      </h3>
      <ArgumentForm
        fields={fields}
        values={values}
        complete={
          canComplete
            ? (argument, value) => {
                const { [argument]: _, ...others } = given
                return engine.completeArgument({
                  serverId: server.id,
                  of: { template: uriTemplate },
                  argument,
                  value,
                  others,
                })
              }
            : undefined
        }
        onChange={(next) => {
          onEdit()
          setValues(next)
        }}
        onSubmit={() => onRead(expandTemplate(uriTemplate, values))}
        startsFocused
      >
        <Button look="primary" type="submit" busy={isBusy}>
          Attach
        </Button>
        <span className={styles.note}>{visibleText(expandTemplate(uriTemplate, values))}</span>
      </ArgumentForm>
    </>
  )
}

function Filled({
  server,
  prompt,
  canComplete,
  engine,
  onInsert,
}: {
  server: Server
  prompt: ListedPrompt
  canComplete: boolean
  engine: Engine
  onInsert: (text: string, attachments: readonly Attachment[], problems: readonly string[]) => void
}) {
  const { isBusy, failure, run, letGo } = useDeed()
  const serverId = server.id
  const name = prompt.title || prompt.name
  const take = (filled: FilledPrompt) => {
    const { text, attachments, problems } = insertPrompt(filled, { serverId, serverName: server.name }, name)
    onInsert(text, attachments, problems)
  }
  return (
    <>
      <h3>
        {visibleText(name)} <span className={styles.note}>{visibleText(server.name)}</span>
      </h3>
      {prompt.description && <p className={styles.note}>{visibleText(prompt.description)}</p>}
      <PromptFiller
        prompt={prompt}
        serverName={server.name}
        isBusy={isBusy}
        startsFocused
        complete={
          canComplete
            ? (argument, value, others) =>
                engine.completeArgument({ serverId, of: { prompt: prompt.name }, argument, value, others })
            : undefined
        }
        onEdit={letGo}
        fill={(values) => run(() => engine.getPrompt({ serverId, name: prompt.name, values }))}
        failure={failure && <FailureNotice failure={failure} serverId={serverId} />}
        actions={(filled) => (
          <Button look="primary" icon="check" autoFocus onClick={() => take(filled)}>
            Put it into the message
          </Button>
        )}
      />
    </>
  )
}
