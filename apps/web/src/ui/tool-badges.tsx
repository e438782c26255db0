import type { ToolAnnotations } from '#domain/server.ts'
import { Badge } from './badge.tsx'

/** What a server says of its tool, marked as its claim. */
export const ToolBadges = ({ annotations }: { annotations: ToolAnnotations }) => (
  <>
    {annotations.readOnly && <Badge title="The server says that it changes nothing.">claims: read-only</Badge>}
    {annotations.destructive && (
      <Badge tone="warn" title="The server says that it may destroy something.">
        claims: destructive
      </Badge>
    )}
    {annotations.openWorld && (
      <Badge title="The server says that it talks to the outside world.">claims: open world</Badge>
    )}
  </>
)
