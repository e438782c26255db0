import { Link } from 'wouter'
import { EmptyState } from '#ui/empty-state.tsx'

/** In place of what is not there any more. */
export const Gone = ({ what }: { what: string }) => (
  <EmptyState icon="chat" title={`This ${what} is not here`} action={<Link href="/">Begin a new chat</Link>}>
    <p>It was deleted, or the address is not right.</p>
  </EmptyState>
)
