import type { Attachment } from '#domain/message.ts'
import { draft, draftAttachments, listGpts } from '#storage/live.ts'
import { Menu } from '#ui/menu.tsx'
import { showToast } from '#ui/toast.tsx'
import { failureOf } from '#domain/failure.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'
import { useGoUnlessLeft } from '#wiring/use-go-unless-left.ts'
import { useLive } from '#wiring/use-live.ts'

/** Puts something into a new message to one of the GPTs that use this server. The user reads it there, and sends it. */
export function UseInChat({
  serverId,
  label,
  text,
  attachments,
}: {
  serverId: string
  label: string
  text: string
  attachments: Attachment[]
}) {
  const engine = useEngine()
  const goUnlessLeft = useGoUnlessLeft()
  const { run, isBusy } = useDeed()
  const gpts = useLive(
    async (db) => {
      const all = (await listGpts(db)).filter(
        ({ tools, archivedAt }) => tools.serverIds.includes(serverId) && archivedAt === undefined,
      )
      return Promise.all(
        all.map(async ({ id, name }) => ({
          id,
          name,
          words: await draft(db, `new:${id}`),
          attached: await draftAttachments(db, `new:${id}`),
        })),
      )
    },
    [serverId],
  )
  if (!gpts || gpts.length === 0) return null
  const begin = async ({ id, words, attached }: (typeof gpts)[number]) => {
    // What was begun there stays.
    const whole = [words, text].filter(Boolean).join('\n\n')
    await engine.saveAttachments({ id: `new:${id}`, attachments: [...attached, ...attachments] })
    await engine.saveDraft({ id: `new:${id}`, text: whole })
    goUnlessLeft(`/gpt/${id}/new`)
  }
  return (
    <Menu
      label={label}
      text={label}
      look="plain"
      small
      // A second choice would put everything in once more.
      notYet={isBusy}
      items={gpts.map((gpt) => ({
        label: `With ${gpt.name}`,
        icon: 'chat' as const,
        onSelect: () => void run(() => begin(gpt).catch((error: unknown) => showToast(failureOf(error).message))),
      }))}
    />
  )
}
