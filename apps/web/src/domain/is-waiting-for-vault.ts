import type { ConnectionState } from './server.ts'

/** Nothing is wrong with a server whose key is in a locked vault. */
export const isWaitingForVault = (state: ConnectionState | undefined): boolean =>
  state?.state === 'error' && state.failure.code === 'vault-locked'
