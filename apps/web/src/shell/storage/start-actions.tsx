import { useState } from 'react'
import type { Failure, FailureCode } from '#domain/failure.ts'
import { keptMark } from '#lib/kept-mark.ts'
import { plural } from '#lib/plural.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { download } from '#ui/download.ts'
import { Notice } from '#ui/notice.tsx'
import type { StartWish } from '#wiring/engine-protocol.ts'
import { saveWhatCanBeRead } from '#wiring/save-what-can-be-read.ts'
import { useDeed } from '#wiring/use-deed.ts'
import { useEngine } from '#wiring/use-engine.ts'

export type StartAction = 'try' | 'reload' | 'save' | 'anew' | 'fresh' | 'memory'

/** What can be done about a database that is not to be had; the first is the way on. */
const ACTIONS: { [Code in FailureCode]?: readonly StartAction[] } = {
  'storage-blocked': ['try', 'memory'],
  'storage-newer': ['reload', 'save', 'memory'],
  'storage-outdated': ['reload'],
  'storage-gone': ['fresh', 'memory'],
  'storage-full': ['try', 'save', 'memory'],
  'storage-damaged': ['try', 'save', 'anew', 'memory'],
  storage: ['try', 'save', 'anew', 'memory'],
}

/** The ways out where the app could not open what is stored. */
export function StartActions({
  why,
  actions = ACTIONS[why.code] ?? [],
  onBegun,
}: {
  why: Failure
  actions?: readonly StartAction[]
  /** The app has begun again, without what was there. */
  onBegun?: () => void
}) {
  const engine = useEngine()
  const { run, isBusy, failure } = useDeed()
  const [isAsking, setAsking] = useState(false)
  const [saved, setSaved] = useState<Awaited<ReturnType<typeof saveWhatCanBeRead>>>()
  const beginEmpty = (wish: StartWish) => {
    // The chat that was shown is not there any more.
    location.hash = '#/'
    keptMark.set(false)
    engine.restart(wish)
    const end = engine.subscribe(() => {
      if (engine.state.phase === 'starting') return
      end()
      onBegun?.()
    })
  }
  const save = () =>
    void run(async () => {
      const file = await saveWhatCanBeRead()
      download(file.name, file.text)
      setSaved(file)
    })
  const button: Record<StartAction, (look: 'primary' | 'plain') => React.ReactNode> = {
    try: (look) => (
      <Button key="try" look={look} onClick={() => engine.restart()}>
        Try again
      </Button>
    ),
    reload: (look) => (
      <Button key="reload" look={look} onClick={() => location.reload()}>
        Reload the page
      </Button>
    ),
    save: (look) => (
      <Button key="save" look={look} icon="download" busy={isBusy} onClick={save}>
        Save what can be read
      </Button>
    ),
    anew: () => (
      <Button key="anew" look="danger" onClick={() => setAsking(true)}>
        Start anew…
      </Button>
    ),
    fresh: (look) => (
      <Button key="fresh" look={look} onClick={() => beginEmpty({})}>
        Start anew
      </Button>
    ),
    memory: (look) => (
      <Button key="memory" look={look} onClick={() => beginEmpty({ memory: { why, begin: 'empty' } })}>
        Go on without saving
      </Button>
    ),
  }
  return (
    <>
      {actions.map((action, at) => button[action](at === 0 ? 'primary' : 'plain'))}
      {saved && (
        <p role="status">
          {plural(saved.rows, 'record')} went into your downloads as {saved.name}, without any key.{' '}
          {saved.unreadable > 0 && `${plural(saved.unreadable, 'record')} could not be read. `}
          The file is not sealed: whoever has it can read your chats. It comes back by Settings, Data, Restore a backup.
        </p>
      )}
      {failure && <p role="alert">{failure.message}</p>}
      <Dialog
        title="Start anew?"
        open={isAsking}
        onClose={() => setAsking(false)}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button look="danger" onClick={() => beginEmpty({ anew: true })}>
              Delete it and start anew
            </Button>
          </>
        }
      >
        <p>All GPTs, chats, servers, keys and settings of this browser are deleted. It cannot be undone.</p>
        {!saved && (
          <Notice tone="warn">What can still be read was not saved. Save it first if it is worth anything.</Notice>
        )}
      </Dialog>
    </>
  )
}
