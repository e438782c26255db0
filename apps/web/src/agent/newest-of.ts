import type { ToolCall } from '#domain/tool-call.ts'

/** The call that counts: the last of those that the user had made again. */
export function newestOf(id: string, calls: ReadonlyMap<string, ToolCall>): ToolCall | undefined {
  let call = calls.get(id)
  for (let steps = 0; call && steps < calls.size; steps += 1) {
    const { id: repeated } = call
    const again = [...calls.values()].find(({ repeats }) => repeats === repeated)
    if (!again || again.status === 'pending' || again.status === 'running') break
    call = again
  }
  return call
}
