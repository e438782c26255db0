import type { LedgerEntry } from '#domain/tool-ledger.ts'
import { Badge } from './badge.tsx'

/** Whether a tool is new, or not what it was when the user last looked. */
export const ToolMark = ({ state }: { state: LedgerEntry['state'] | undefined }) => {
  if (state === 'new')
    return (
      <Badge tone="accent" title="It came after you last looked.">
        new
      </Badge>
    )
  if (state === 'changed')
    return (
      <Badge tone="warn" title="It is not what you last saw, and is not used until you have seen it.">
        changed
      </Badge>
    )
  return null
}
