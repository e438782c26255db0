import type { Server } from '#domain/server.ts'
import { showToast } from '#ui/toast.tsx'
import { explain } from '#wiring/explain.ts'
import { failureOf } from '#domain/failure.ts'
import { useEngine } from '#wiring/use-engine.ts'

/** Makes a copy of a server, and offers to bring its keys along: they are for one address, and the copy may get another. */
export function useDuplicateServer(): (server: Pick<Server, 'id' | 'name'>) => Promise<void> {
  const engine = useEngine()
  return async ({ id, name }) => {
    const { serverId, hasSecrets } = await engine.duplicateServer({ serverId: id })
    if (!hasSecrets) return showToast(`Duplicated “${name}”.`)
    showToast(`Duplicated “${name}” without its keys.`, {
      label: 'Copy the keys too',
      run: () =>
        void engine.copySecrets({ from: id, to: serverId }).then(
          () => showToast('The copy has the same keys now.'),
          (error: unknown) => showToast(explain(failureOf(error)).text),
        ),
    })
  }
}
