import { useEffect } from 'react'
import { Link } from 'wouter'
import { calls as callsById, setting } from '#storage/live.ts'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { useLive } from '#wiring/use-live.ts'
import { sayFailure } from '../say-failure.ts'

/** Says where tools come from, beside the first call that somebody allowed, and at no other. */
export function ServersHint({ callIds }: { callIds: readonly string[] }) {
  const engine = useEngine()
  const firstCallId = useLive(
    async (db) => {
      const seen = await setting(db, 'serversHintSeen')
      // Where it was shown first it stays until it is dismissed or something else is said.
      if (seen === true || (typeof seen === 'string' && !callIds.includes(seen))) return undefined
      const calls = await callsById(db, callIds)
      return calls.find(({ approval, status }) => approval?.by === 'user' && status === 'success')?.id
    },
    [callIds.join()],
  )
  useEffect(() => {
    if (firstCallId !== undefined)
      void engine.saveSetting({ key: 'serversHintSeen', value: firstCallId }).catch(sayFailure)
  }, [engine, firstCallId])
  if (firstCallId === undefined) return null
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
