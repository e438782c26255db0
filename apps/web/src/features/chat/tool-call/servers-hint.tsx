import { Link } from 'wouter'
import { calls as callsById, setting } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { sayFailure } from '../say-failure.ts'

/** Says once, after the first call that somebody allowed, where tools come from. */
export function ServersHint({ callIds }: { callIds: readonly string[] }) {
  const engine = useEngine()
  const isNews = useLive(
    async (db) => {
      if (await setting(db, 'serversHintSeen')) return false
      const calls = await callsById(db, callIds)
      return calls.some(({ approval, status }) => approval?.by === 'user' && status === 'success')
    },
    [callIds.join()],
  )
  if (!isNews) return null
  const dismiss = () => void engine.saveSetting({ key: 'serversHintSeen', value: true }).catch(sayFailure)
  return (
    <Notice
      title="That was a tool of a server"
      actions={
        <>
          <Link href="/servers" onClick={dismiss}>
            See your servers
          </Link>
          <Button small look="quiet" onClick={dismiss}>
            Got it
          </Button>
        </>
      }
    >
      Servers give your GPTs their tools. You find them, and connect more, under Servers.
    </Notice>
  )
}
