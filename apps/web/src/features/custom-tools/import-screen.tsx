import { type SyntheticEvent, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { CustomTool } from '#domain/custom-tool.ts'
import { baseFault } from '#domain/custom-tool-address.ts'
import type { OpenApiReading } from '#domain/openapi/read-openapi.ts'
import type { Server } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { Page, Section } from '#ui/page.tsx'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import {
  type CollectionDraft,
  CollectionFields,
  collectionFault,
  freshCollection,
  serverOf,
} from './collection-fields.tsx'
import styles from './custom-tools.module.css'
import { DocumentSource } from './document-source.tsx'
import { OperationList } from './operation-list.tsx'
import { freeName } from './tool-draft.ts'

interface Document {
  text: string
  reading: OpenApiReading
}

/** Makes custom tools of an OpenAPI document: into a collection that is there, or into a new one. */
export function ImportScreen({ server, tools = [] }: { server?: Server; tools?: readonly CustomTool[] }) {
  const engine = useEngine()
  const [document, setDocument] = useState<Document>()
  const [from, setFrom] = useState<string>()
  const { run, isBusy, failure } = useDeed()
  const read = (text: string, address?: string) =>
    void run(() => engine.readOpenApi({ text })).then((reading) => {
      setFrom(address)
      if (reading) setDocument({ text, reading })
    })
  const back = server ? `/servers/${server.id}/custom` : '/servers/custom'
  return (
    <Page title="Import an OpenAPI document" actions={<Link href={back}>Back</Link>}>
      {document ? (
        <Choice document={document} from={from} server={server} tools={tools} onAgain={() => setDocument(undefined)} />
      ) : (
        <>
          <p className={styles.soft}>
            Versions 3.0 and 3.1, JSON or YAML, up to 20 MB. You choose which operations become tools
            {server && (
              <>
                {' '}
                of <strong>{visibleText(server.name)}</strong>
              </>
            )}
            . References to other documents are not followed.
          </p>
          <DocumentSource isBusy={isBusy} onText={read} />
          {failure && <Explained {...explain(failure)} action={undefined} />}
        </>
      )}
    </Page>
  )
}

/** Where the API is, as the document says it, or as whence it came suggests. */
const firstBase = ({ servers }: OpenApiReading, server: Server | undefined, from: string | undefined): string =>
  servers[0]?.url ??
  server?.url.replace(/\/+$/, '') ??
  (from !== undefined && URL.canParse(from) ? new URL(from).origin : '')

function Choice({
  document: { text, reading },
  from,
  server,
  tools,
  onAgain,
}: {
  document: Document
  from: string | undefined
  server: Server | undefined
  tools: readonly CustomTool[]
  onAgain: () => void
}) {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [draft, setDraft] = useState<CollectionDraft>(() => ({
    ...freshCollection(),
    name: reading.title || 'Imported API',
    url: firstBase(reading, server, from),
    authentication: reading.signIn.find(({ authentication }) => authentication)?.authentication ?? { type: 'none' },
  }))
  const [isTried, setTried] = useState(false)
  /** A collection that was made before the rest failed: it is used, and not made twice. */
  const [made, setMade] = useState<string>()
  const { run, isBusy, failure } = useDeed()
  const change = (next: Partial<CollectionDraft>) => setDraft((before) => ({ ...before, ...next }))
  const names = useMemo(() => {
    const taken = tools.map(({ name }) => name)
    return new Map(
      reading.operations.map(({ id, name }) => {
        const free = freeName(name, taken)
        taken.push(free)
        return [id, free]
      }),
    )
  }, [reading, tools])
  const nameOf = (id: string): string => names.get(id) ?? ''
  const fault =
    chosen.size === 0
      ? 'Tick an operation first.'
      : draft.url === ''
        ? 'Say where the API is.'
        : (baseFault(draft.url) ?? (server ? undefined : collectionFault(draft)))

  const add = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (fault !== undefined) return
    void run(async () => {
      const serverId =
        server?.id ?? made ?? (await engine.saveServer({ server: serverOf(draft), secrets: draft.secrets })).serverId
      setMade(serverId)
      const picked = reading.operations.filter(({ id }) => chosen.has(id))
      const { added } = await engine.importOpenApi({
        serverId,
        text,
        base: draft.url,
        chosen: picked.map(({ id }) => ({ id, name: nameOf(id) })),
      })
      showToast(`${plural(added, 'tool')} added. Tick the collection in a GPT to use them.`)
      go(`/servers/${serverId}/custom`)
    })
  }
  return (
    <form className={styles.stack} onSubmit={add} noValidate>
      <Notice
        tone="info"
        title={`${visibleText(reading.title) || 'A document'} ${visibleText(reading.version)}`}
        actions={<Button onClick={onAgain}>Another document</Button>}
      >
        {reading.description && <p className={styles.said}>{visibleText(reading.description)}</p>}
        <p>{plural(reading.operations.length, 'operation')}.</p>
        {reading.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </Notice>
      <Section
        title="Where it is"
        hint="Requests go to this address. Look at it: the document may have been written by anybody."
      >
        <div className={styles.form}>
          {reading.servers.length > 1 && (
            <SelectField
              label="Addresses in the document"
              value={reading.servers.some(({ url }) => url === draft.url) ? draft.url : ''}
              onChange={(event) => change({ url: event.target.value })}
            >
              <option value="">Another one</option>
              {reading.servers.map(({ url, description }) => (
                <option key={url} value={url}>
                  {visibleText(description ? `${url} (${description})` : url)}
                </option>
              ))}
            </SelectField>
          )}
          {server ? (
            <>
              <TextField
                label="Base address"
                required
                inputMode="url"
                spellCheck={false}
                value={draft.url}
                error={draft.url === '' ? undefined : baseFault(draft.url)}
                onChange={(event) => change({ url: event.target.value.trim() })}
              />
              {hasOtherOrigin(draft.url, server.url) && (
                <p className={styles.soft}>
                  The keys of {visibleText(server.name)} are not sent there: they belong to{' '}
                  {visibleText(server.url) || 'no address'}.
                </p>
              )}
            </>
          ) : (
            <>
              <CollectionFields draft={draft} change={change} />
              {reading.signIn.length > 0 && (
                <p className={styles.soft}>
                  The document asks for {reading.signIn.map(({ words }) => visibleText(words)).join(', or ')}.
                </p>
              )}
            </>
          )}
        </div>
      </Section>
      <Section title="Operations">
        <OperationList
          operations={reading.operations}
          chosen={chosen}
          onChange={setChosen}
          nameOf={({ id }) => nameOf(id)}
        />
      </Section>
      {failure && <Explained {...explain(failure)} action={undefined} />}
      <div className={styles.bar}>
        <Button look="primary" type="submit" busy={isBusy}>
          {chosen.size === 0 ? 'Add tools' : `Add ${plural(chosen.size, 'tool')}`}
        </Button>
        {isTried && fault && <span className={styles.fault}>{fault}</span>}
      </div>
    </form>
  )
}

const hasOtherOrigin = (url: string, base: string): boolean =>
  URL.canParse(url) && !(URL.canParse(base) && new URL(base).origin === new URL(url).origin)
