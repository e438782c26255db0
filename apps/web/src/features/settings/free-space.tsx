import { useEffect, useState } from 'react'
import { fileSize } from '#lib/file-size.ts'
import { plural } from '#lib/plural.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Explained } from '#ui/explained.tsx'
import { Tick } from '#ui/field.tsx'
import { Section } from '#ui/page.tsx'
import { showToast } from '#ui/toast.tsx'
import type { Commands } from '#wiring/commands.ts'
import { explain } from '#wiring/explain.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'

type Found = ReturnType<Commands['prunable']>
type Kind = keyof Found

const KINDS: { kind: Kind; label: string; hint: string; one: string }[] = [
  {
    kind: 'recordings',
    label: 'Messages with servers',
    hint: 'Kept to look for a fault. No chat needs them.',
    one: 'message',
  },
  { kind: 'tasks', label: 'Tasks that are over', hint: 'What came of them stays in their chats.', one: 'task' },
  { kind: 'callsByHand', label: 'Calls that you made by hand', hint: 'With their results.', one: 'call' },
]

export function FreeSpaceSection({ onFreed }: { onFreed: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    onFreed()
  }
  return (
    <Section title="Free space" hint="What takes room and can go without being missed.">
      <div>
        <Button icon="trash" onClick={() => setOpen(true)}>
          Free space…
        </Button>
      </div>
      {isOpen && <FreeSpace onClose={close} />}
    </Section>
  )
}

/** What can go, with its numbers. Nothing that was said in a chat is among it. */
export function FreeSpace({ onClose }: { onClose: () => void }) {
  const engine = useEngine()
  const { run, isBusy, failure } = useDeed()
  const [found, setFound] = useState<Found>()
  const [kinds, setKinds] = useState<ReadonlySet<Kind>>(new Set())
  useEffect(() => {
    void run(async () => setFound(await engine.prunable()))
  }, [])
  const chosen = KINDS.map(({ kind }) => kind).filter((kind) => kinds.has(kind) && (found?.[kind].count ?? 0) > 0)
  const freed = chosen.reduce((sum, kind) => sum + (found?.[kind].characters ?? 0), 0)
  const free = () =>
    void run(async (isWanted) => {
      await engine.prune({ kinds: chosen })
      showToast(`About ${fileSize(freed)} are free again. The browser may take a moment to notice.`)
      if (isWanted()) onClose()
    })
  const tick = (kind: Kind, isOn: boolean) =>
    setKinds((now) => new Set(isOn ? [...now, kind] : [...now].filter((one) => one !== kind)))
  return (
    <Dialog
      title="Free space"
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" busy={isBusy} disabled={chosen.length === 0} onClick={free}>
            {chosen.length === 0 ? 'Delete' : `Delete ${fileSize(freed)}`}
          </Button>
        </>
      }
    >
      {found &&
        KINDS.map(({ kind, label, hint, one }) => {
          const { count, characters } = found[kind]
          return (
            <Tick
              key={kind}
              label={label}
              hint={count === 0 ? 'There are none.' : `${plural(count, one)}, about ${fileSize(characters)}. ${hint}`}
              disabled={count === 0}
              checked={kinds.has(kind) && count > 0}
              onChange={(isOn) => tick(kind, isOn)}
            />
          )
        })}
      <p>More room comes from deleting old chats, and from the disk itself.</p>
      {failure && <Explained {...explain(failure)} />}
    </Dialog>
  )
}
