import { useState } from 'react'
import type { Grant } from '#domain/grant.ts'
import { plural } from '#lib/plural.ts'
import { visibleText } from '#lib/visible-text.ts'
import { conversation, gpt, grants as allGrants } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Line, Lines } from '#ui/lines.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Section } from '#ui/page.tsx'
import { TimeAgo } from '#ui/time-ago.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import styles from './settings.module.css'

export function ApprovalsSection() {
  const engine = useEngine()
  const [isAsking, setAsking] = useState(false)
  const grants = useLive(
    async (db) =>
      Promise.all(
        (await allGrants(db)).map(async (grant) => ({
          ...grant,
          place:
            grant.scope === 'gpt'
              ? (await gpt(db, grant.scopeId))?.name
              : grant.scope === 'conversation'
                ? (await conversation(db, grant.scopeId))?.title
                : '',
        })),
      ),
    [],
  )
  if (!grants) return null
  if (grants.length === 0) {
    return (
      <EmptyState icon="check" title="Nothing is allowed without asking">
        When you answer a tool's question with more than “Allow once”, it is listed here, and can be taken back.
      </EmptyState>
    )
  }
  const revokeAll = () => {
    setAsking(false)
    void engine.revokeAllGrants()
  }
  return (
    <Section
      title="Allowed without asking"
      hint="Each holds for the tool as it was described when you allowed it. If its server changes it, it asks again. It also asks when content from an untrusted server is in the chat, unless you turned that off in the GPT."
      actions={
        <Button look="danger" onClick={() => setAsking(true)}>
          Take all back
        </Button>
      }
    >
      <Lines>
        {grants.map((grant) => (
          <Line key={grant.id}>
            <div>
              <strong>{visibleText(grant.toolName)}</strong> · {grant.serverName}
              <p className={styles.soft}>
                {scopeWords(grant, grant.place)} · <TimeAgo time={grant.createdAt} />
              </p>
            </div>
            <Button
              small
              aria-label={`Take back ${grant.toolName}`}
              onClick={() => void engine.revokeGrant({ grantId: grant.id })}
            >
              Take back
            </Button>
          </Line>
        ))}
      </Lines>
      <Dialog
        title="Take all back?"
        open={isAsking}
        onClose={() => setAsking(false)}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Keep them</Button>
            <Button look="danger" onClick={revokeAll}>
              Take all back
            </Button>
          </>
        }
      >
        <p>{plural(grants.length, 'tool')} will ask again. This cannot be undone.</p>
      </Dialog>
    </Section>
  )
}

function scopeWords({ scope }: Grant, place: string | undefined): string {
  switch (scope) {
    case 'always':
      return 'in every chat'
    case 'gpt':
      return `for the GPT “${place ?? 'deleted'}”`
    case 'conversation':
      return `in the chat “${place ?? 'deleted'}”`
  }
}
