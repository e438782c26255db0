import { useLayoutEffect } from 'react'
import { Link } from 'wouter'
import { EmptyState } from '#ui/empty-state.tsx'
import { dropHeldKeys } from './held-keys.ts'

/** In place of what is not there any more. */
export function Gone({ what }: { what: string }) {
  useLayoutEffect(dropHeldKeys, [])
  return (
    <EmptyState icon="chat" title={`This ${what} is not here`} action={<Link href="/">Begin a new chat</Link>}>
      <p>It was deleted, or the address is not right.</p>
    </EmptyState>
  )
}
