import { Link, useLocation } from 'wouter'
import type { Gpt } from '#domain/gpt.ts'
import { plural } from '#lib/plural.ts'
import { listGpts, models } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { download } from '#ui/download.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Explained } from '#ui/explained.tsx'
import { GptIcon } from '#ui/gpt-icon.tsx'
import { Menu } from '#ui/menu.tsx'
import { Page } from '#ui/page.tsx'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { useLive } from '#wiring/use-live.ts'
import { ImportGpt } from './import-gpt.tsx'
import styles from './gpts-screen.module.css'

export function GptsScreen() {
  const engine = useEngine()
  const go = useGoUnlessLeft()
  const making = useDeed()
  const gpts = useLive((db) => listGpts(db), [])
  const connections = useLive((db) => models(db), [])
  const create = () => void making.run(async () => go(`/gpts/${(await engine.createGpt({})).gptId}`))

  const shown = gpts?.filter(({ archivedAt }) => archivedAt === undefined) ?? []
  const archived = gpts?.filter(({ archivedAt }) => archivedAt !== undefined) ?? []
  const modelName = ({ model }: Gpt) =>
    model.connectionId === 'practice'
      ? 'practice model'
      : `${model.modelId || 'no model yet'} · ${connections?.find(({ id }) => id === model.connectionId)?.name ?? 'connection gone'}`

  return (
    <Page
      title="GPTs"
      actions={
        <>
          <ImportGpt />
          <Button look="primary" icon="plus" busy={making.isBusy} onClick={create}>
            New GPT
          </Button>
        </>
      }
    >
      {making.failure && <Explained {...explain(making.failure)} />}
      {gpts && shown.length === 0 && (
        <EmptyState icon="sparkle" title="Make a GPT">
          <p>
            A GPT is an assistant of your own: what it is told, which model it uses, and which tools of your servers it
            may reach for.
          </p>
        </EmptyState>
      )}
      <ul className={styles.grid}>
        {shown.map((gpt) => (
          <GptCard key={gpt.id} gpt={gpt} model={modelName(gpt)} />
        ))}
      </ul>
      {archived.length > 0 && (
        <details>
          <summary>{plural(archived.length, 'archived GPT')}</summary>
          <ul className={styles.grid}>
            {archived.map((gpt) => (
              <GptCard key={gpt.id} gpt={gpt} model={modelName(gpt)} />
            ))}
          </ul>
        </details>
      )}
    </Page>
  )
}

function GptCard({ gpt, model }: { gpt: Gpt; model: string }) {
  const engine = useEngine()
  const [, goNow] = useLocation()
  const go = useGoUnlessLeft()
  const isArchived = gpt.archivedAt !== undefined
  const { length: servers } = gpt.tools.serverIds

  const remove = async () => {
    const { conversations } = await engine.deleteGpt({ gptId: gpt.id })
    const also = conversations > 0 ? ` and ${plural(conversations, 'conversation')}` : ''
    showToast(`Deleted “${gpt.name}”${also}.`, {
      label: 'Undo',
      run: () => void engine.restoreGpt({ gptId: gpt.id }),
    })
  }
  const archive = async (archivedAt: number | undefined) => {
    await engine.updateGpt({ gptId: gpt.id, change: { archivedAt } })
    showToast(archivedAt === undefined ? `“${gpt.name}” is back.` : `Archived “${gpt.name}”. Its chats stay.`)
  }
  return (
    <li className={styles.card}>
      <Link href={`/gpt/${gpt.id}/new`} className={styles.face}>
        <GptIcon icon={gpt.icon} name={gpt.name} />
        <div className={styles.words}>
          <h2 className={styles.name}>{gpt.name}</h2>
          {gpt.description && <p className={styles.description}>{gpt.description}</p>}
          <p className={styles.model}>
            {model}
            {servers > 0 && ` · ${plural(servers, 'server')}`}
          </p>
        </div>
      </Link>
      <Menu
        label={`What to do with ${gpt.name}`}
        items={[
          { label: 'Edit', icon: 'edit', onSelect: () => goNow(`/gpts/${gpt.id}`) },
          {
            label: 'Duplicate',
            icon: 'duplicate',
            onSelect: () => void engine.duplicateGpt({ gptId: gpt.id }).then(({ gptId }) => go(`/gpts/${gptId}`)),
          },
          {
            label: isArchived ? 'Take out of the archive' : 'Archive',
            icon: 'archive',
            onSelect: () => void archive(isArchived ? undefined : Date.now()),
          },
          {
            label: 'Export',
            icon: 'download',
            hint: 'For others: without keys, trust or chats',
            onSelect: () => void engine.exportGpt({ gptId: gpt.id }).then(({ name, text }) => download(name, text)),
          },
          { label: 'Delete', icon: 'trash', danger: true, onSelect: () => void remove() },
        ]}
      />
    </li>
  )
}
