import { type SyntheticEvent, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '#ui/button.tsx'
import { Explained } from '#ui/explained.tsx'
import { LinkButton } from '#ui/link-button.tsx'
import { Page, Section } from '#ui/page.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { CollectionFields, collectionFault, freshCollection, serverOf } from './collection-fields.tsx'
import styles from './custom-tools.module.css'

/** Custom tools stand in collections, one for each API: what they have in common is said once. */
export function NewCollection() {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  const [draft, setDraft] = useState(freshCollection)
  const [isTried, setTried] = useState(false)
  const { run, isBusy, failure } = useDeed()
  const fault = collectionFault(draft)
  const save = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (fault !== undefined) return
    void run(() => engine.saveServer({ server: serverOf(draft), secrets: draft.secrets })).then((saved) => {
      if (saved) go(`/servers/${saved.serverId}/custom`)
    })
  }
  return (
    <Page title="Custom tools">
      <p className={styles.soft}>
        An API without an MCP server: describe its requests here, and your GPTs can use them as tools. Tools of one API
        stand in one collection, with its key and its limits.
      </p>
      <Section title="A new collection">
        <form className={styles.form} onSubmit={save} noValidate>
          <CollectionFields draft={draft} change={(next) => setDraft((before) => ({ ...before, ...next }))} />
          {failure && <Explained {...explain(failure)} action={undefined} />}
          <div className={styles.actions}>
            <Button look="primary" type="submit" busy={isBusy}>
              Create
            </Button>
            <Link href="/servers">Cancel</Link>
            {isTried && fault && <span className={styles.fault}>{fault}</span>}
          </div>
        </form>
      </Section>
      <Section
        title="From an OpenAPI document"
        hint="Choose operations of an API that describes itself: versions 3.0 and 3.1, JSON or YAML."
      >
        <div>
          <LinkButton icon="download" href="/servers/custom/import">
            Import a document
          </LinkButton>
        </div>
      </Section>
    </Page>
  )
}
