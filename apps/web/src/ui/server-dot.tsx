import type { ConnectionState } from '#domain/server.ts'
import { isWaitingForVault } from '#domain/is-waiting-for-vault.ts'
import { StatusDot } from './badge.tsx'

/** How the connection to a server stands, by colour, shape and word. */
export function ServerDot({ state, isEnabled }: { state: ConnectionState | undefined; isEnabled: boolean }) {
  if (!isEnabled) return <StatusDot tone="plain" label="switched off" />
  switch (state?.state) {
    case 'connected':
      return <StatusDot tone="good" label="connected" />
    case 'connecting':
      return <StatusDot tone="accent" label="connecting" pulsing />
    case 'error':
      if (isWaitingForVault(state)) return <StatusDot tone="plain" label="waiting for the vault to be unlocked" />
      return <StatusDot tone="bad" label={state.failure.message} />
    default:
      return <StatusDot tone="plain" label="not connected" />
  }
}
