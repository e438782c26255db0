import { useState } from 'react'
import { Link } from 'wouter'
import { editGpt, type GptEdit } from '#domain/edit-gpt.ts'
import type { Gpt } from '#domain/gpt.ts'
import { gpt as gptById } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { TextArea } from '#ui/field.tsx'
import { Page, Section } from '#ui/page.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import styles from './gpt-editor.module.css'
import { IdentitySection } from './identity-section.tsx'
import { ModelSection } from './model-section.tsx'
import { StartersSection } from './starters-section.tsx'
import { ToolsSection } from './tools-section.tsx'
import { type SaveState, useAutosave } from './use-autosave.ts'

export interface SectionProps {
  gpt: Gpt
  /** With nothing but what was changed: the rest may be older than what is stored. */
  change: (change: GptEdit) => void
}

export function GptEditor({ gptId }: { gptId: string }) {
  const stored = useLive(async (db) => ({ gpt: await gptById(db, gptId) }), [gptId])
  if (!stored) return null
  if (!stored.gpt) {
    return (
      <EmptyState icon="question" title="This GPT is gone" action={<Link href="/gpts">All GPTs</Link>}>
        It was deleted here or in another tab.
      </EmptyState>
    )
  }
  return <Editor stored={stored.gpt} />
}

function Editor({ stored }: { stored: Gpt }) {
  const engine = useEngine()
  const {
    state,
    left,
    change: saveLater,
    flush,
  } = useAutosave(
    `gpt:${stored.id}`,
    (change) => engine.updateGpt({ gptId: stored.id, change }),
    // Words only: what it may do is not decided by a page that is gone.
    ({ tools: _tools, ...words }) => words,
  )
  // What is typed is shown from here; what other hands change meanwhile (trusted tools, another tab) from storage.
  const [typed, setTyped] = useState<GptEdit>(left ?? {})
  const gpt = editGpt(stored, typed)
  const change = (next: GptEdit) => {
    setTyped((before) => editGpt(before, next))
    saveLater(next)
  }
  const section = { gpt, change }
  return (
    <div className={styles.editor} onBlur={flush}>
      <Page
        title={gpt.name.trim() || 'GPT without a name'}
        actions={
          <>
            <Saved state={state} onRetry={flush} />
            <Link href={`/gpt/${gpt.id}/new`} className={styles.try}>
              Try it
            </Link>
          </>
        }
      >
        <IdentitySection {...section} />
        <Section title="Instructions" hint="What it is, what it should do, and how. Sent with every message.">
          <TextArea
            label="Instructions"
            rows={9}
            maxLength={200_000}
            value={gpt.instructions}
            placeholder="You help me plan trips. Ask for dates first. Keep answers short…"
            onChange={(event) => change({ instructions: event.target.value })}
          />
        </Section>
        <ModelSection {...section} />
        <StartersSection {...section} />
        <ToolsSection {...section} />
      </Page>
    </div>
  )
}

function Saved({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  if (state.state === 'failed') {
    return (
      <span className={styles.failed} role="alert">
        {state.failure.message}{' '}
        <Button small onClick={onRetry}>
          Try again
        </Button>
      </span>
    )
  }
  const words = state.state === 'saving' ? 'Saving…' : 'Saved'
  return (
    <span
      className={styles.saved}
      role="status"
      title={state.state === 'saved' && state.at ? new Date(state.at).toLocaleTimeString() : undefined}
    >
      {words}
    </span>
  )
}
