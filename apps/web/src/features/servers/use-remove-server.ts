import type { Server } from '#domain/server.ts'
import { plural } from '#lib/plural.ts'
import { showToast } from '#ui/toast.tsx'
import { useEngine } from '#wiring/use-engine.ts'

/** Removes a server, says what went with it, and offers the way back. */
export function useRemoveServer(): (server: Pick<Server, 'id' | 'name'>) => Promise<void> {
  const engine = useEngine()
  return async ({ id, name }) => {
    const { gpts, grants } = await engine.deleteServer({ serverId: id })
    const also = [
      gpts > 0 && `${plural(gpts, 'GPT')} used it`,
      grants > 0 && `${plural(grants, 'permission')} went with it`,
    ]
    const words = also.filter(Boolean).join(', ')
    showToast(`Removed “${name}”${words && `: ${words}`}.`, {
      label: 'Undo',
      run: () => void engine.restoreServer({ serverId: id }),
    })
  }
}
