import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'wouter'
import { type Pasted, readPasted } from '#domain/read-pasted.ts'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/field.tsx'
import { Page, Section } from '#ui/page.tsx'
import type { Change } from './diagnosis.tsx'
import { FoundView } from './found-view.tsx'
import { PastedList } from './pasted-list.tsx'
import { addressProblem, draftOf, freshServer } from './server-draft.ts'
import { ServerForm } from './server-form.tsx'
import styles from './servers.module.css'
import { TestResult } from './test-result.tsx'
import { Understood } from './understood.tsx'
import { type ServerEditor, useServerEditor } from './use-server-editor.ts'

/** Somebody who is still typing is not asked for yet. */
const PAUSE_MS = 700
const LONGEST_ADDRESS = 2_000

/** One field for whatever names a server, and what was found before anything is saved. */
export function AddServer() {
  const editor = useServerEditor(undefined)
  const [text, setText] = useState(editor.draft.url)
  const [pasted, setPasted] = useState<Pasted>(() => readPasted(editor.draft.url))
  const single = pasted.kind === 'servers' && pasted.entries.length === 1 ? pasted.entries[0] : undefined
  const isListed = pasted.kind === 'servers' && (!single || single.program !== undefined)

  const paste = (next: string) => {
    setText(next)
    const read = readPasted(next)
    setPasted(read)
    const { draft, replace } = editor
    const [only, ...more] = read.kind === 'servers' ? read.entries : []
    if (only && more.length === 0 && !only.program) replace(draftOf(only))
    else if (read.kind === 'address') replace({ ...draft, url: read.url })
    // Perhaps it is to be an address: the test says what it lacks.
    else if (read.kind === 'unreadable' && isOneLine(next)) replace({ ...draft, url: next.trim() })
    else replace(freshServer())
  }
  useLookInPassing(editor, pasted)
  /** An address that the doctor found is one that stands in the field, as if it had been typed there. */
  const apply = ({ url, ...change }: Change) => {
    if (url !== undefined) paste(url)
    if (change.authentication) editor.identity.change({ authentication: change.authentication })
    else if (Object.keys(change).length > 0) editor.change(change)
  }
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || pasted.kind !== 'address') return
    event.preventDefault()
    editor.test()
  }
  return (
    <Page title="Add a server">
      <div className={styles.form}>
        <TextArea
          label="Address, configuration file or command"
          hint="Paste a URL, a configuration file (Claude, VS Code, Cursor and others, several servers at once) or a command (npx, docker, claude mcp add, curl)."
          rows={Math.min(12, Math.max(2, text.split('\n', 12).length))}
          autoFocus
          spellCheck={false}
          autoCapitalize="off"
          placeholder="https://example.com/mcp"
          value={text}
          error={problemOf(pasted)}
          onChange={(event) => paste(event.target.value)}
          onKeyDown={enter}
        />
      </div>
      {pasted.kind === 'servers' && isListed && <PastedList key={text} pasted={pasted} />}
      {!isListed && (
        <SingleServer editor={editor} pasted={pasted} hasAddress={single === undefined} apply={apply}>
          {pasted.kind === 'servers' && single && (
            <Understood format={pasted.format} notes={pasted.notes} entry={single} />
          )}
        </SingleServer>
      )}
    </Page>
  )
}

function SingleServer({
  editor,
  pasted,
  hasAddress,
  apply,
  children,
}: {
  editor: ServerEditor
  pasted: Pasted
  hasAddress: boolean
  apply: (change: Change) => void
  children: ReactNode
}) {
  const { draft, change, testing, test, save, isSaving, isFoundAgain } = editor
  const { report } = testing
  return (
    <>
      {children}
      <ServerForm
        draft={draft}
        server={undefined}
        change={change}
        identity={editor.identity}
        onSubmit={save}
        fold={{ isOpen: pasted.kind === 'servers' || isFoundAgain, hasAddress }}
      >
        <div className={styles.actions}>
          <Button busy={testing.isBusy && testing.isAsked} disabled={draft.url === ''} onClick={test}>
            {testing.isBusy && testing.isAsked ? 'Testing…' : 'Test connection'}
          </Button>
          <Button look="primary" type="submit" busy={isSaving} disabled={draft.url === ''}>
            Save
          </Button>
          <Link href="/servers">Cancel</Link>
        </div>
        <TestResult editor={editor} server={undefined} apply={apply} />
        {report?.found && (
          <Section title="What it offers">
            <FoundView found={report.found} sessionId={report.sessionId} era={report.era} />
          </Section>
        )}
      </ServerForm>
    </>
  )
}

/**
 * Looks at an address a moment after it was typed. Only at one that stands there alone, with no question in it: what came
 * with a key, or out of a file, is connected to when somebody says so.
 */
function useLookInPassing(editor: ServerEditor, pasted: Pasted): void {
  const url = pasted.kind === 'address' ? pasted.url : ''
  const look = useEffectEvent(() => {
    const { draft, testing } = editor
    const hasKeys = draft.authentication.type !== 'auto' || draft.headers.length > 0
    if (draft.url === url && !hasKeys && !testing.isBusy && !testing.report) editor.look()
  })
  useEffect(() => {
    if (url === '' || addressProblem(url) !== undefined || new URL(url).search !== '') return
    const timer = setTimeout(look, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [url])
}

const isOneLine = (text: string): boolean => text.length <= LONGEST_ADDRESS && !/[\n{}]/.test(text.trim())

function problemOf(pasted: Pasted): string | undefined {
  if (pasted.kind === 'unreadable') return pasted.problem
  return pasted.kind === 'address' ? addressProblem(pasted.url) : undefined
}
