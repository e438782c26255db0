import type { Server } from '#domain/server.ts'

/** Whether every one of these servers is trusted by now. One that was removed can't be, so its content goes on to count. */
export const areAllTrusted = (ids: readonly string[], servers: readonly Pick<Server, 'id' | 'trusted'>[]): boolean =>
  ids.length > 0 && ids.every((id) => servers.some((server) => server.id === id && server.trusted))
