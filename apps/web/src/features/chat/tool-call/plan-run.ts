import type { ToolCall } from '#domain/tool-call.ts'

/** What is shown of calls that follow each other: those that ask are one card, quiet ones in a row are one line. */
export type RunItem =
  | { type: 'ask'; calls: ToolCall[] }
  | { type: 'group'; calls: ToolCall[] }
  | { type: 'one'; call: ToolCall }

const asks = ({ status, approval }: ToolCall) => status === 'pending' && approval?.state === 'requested'
const isMedia = ({ type }: Record<string, unknown>) => type === 'image' || type === 'audio'

/** One that went well and has nothing to look at; the rest keep a line of their own. */
const isQuiet = ({ status, content, appUri }: ToolCall) =>
  status === 'success' && appUri === undefined && !content?.some(isMedia)

export function planRun(calls: readonly ToolCall[]): RunItem[] {
  const items: RunItem[] = []
  for (const call of calls.filter((one) => !asks(one))) {
    const last = items.at(-1)
    if (!isQuiet(call)) items.push({ type: 'one', call })
    else if (last?.type === 'group') last.calls.push(call)
    else items.push({ type: 'group', calls: [call] })
  }
  const asking = calls.filter(asks)
  const planned = items.map((item): RunItem => {
    const [first, second] = item.type === 'group' ? item.calls : []
    return first && !second ? { type: 'one', call: first } : item
  })
  return asking.length > 0 ? [...planned, { type: 'ask', calls: asking }] : planned
}
