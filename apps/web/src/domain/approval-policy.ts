import type { ApprovalPolicy, TrustedTool } from './gpt.ts'
import type { Grant } from './grant.ts'
import { holdsSecret } from './holds-secret.ts'
import type { ToolAnnotations } from './server.ts'

/** What is known of a call when somebody must decide whether it runs. */
export interface CallInQuestion {
  serverId: string
  toolName: string
  fingerprint: string
  endpoint: string
  annotations: ToolAnnotations
  serverTrusted: boolean
  conversationId: string
  gptId: string
  /** Other servers, not trusted by the user, whose text is in this conversation. */
  foreign: readonly string[]
  /** As they would be sent. */
  arguments: string
}

export type Verdict = { verdict: 'run'; by: 'policy' | 'grant'; scope?: Grant['scope'] } | { verdict: 'ask' }

const isSameTool = (call: CallInQuestion, { serverId, toolName, fingerprint, endpoint }: TrustedTool) =>
  call.serverId === serverId &&
  call.toolName === toolName &&
  call.fingerprint === fingerprint &&
  call.endpoint === endpoint

/**
 * It may change something, or talk to the outside. The specification's defaults count as said; that it does neither is
 * a claim, which counts only for servers the user trusts.
 */
const mayHarm = ({ annotations: { readOnly, destructive, openWorld }, serverTrusted }: CallInQuestion) =>
  !serverTrusted || (readOnly !== true && destructive !== false) || openWorld !== false

/** Text of one server may talk the model into using another against the user. */
const isTainted = (call: CallInQuestion) => call.foreign.length > 0 && mayHarm(call)

/** What was allowed in this very conversation, with the same strangers in it, was allowed knowing of them. */
const isInformed = ({ scope, foreign = [] }: Grant, call: CallInQuestion) =>
  scope === 'conversation' && call.foreign.every((name) => foreign.includes(name))

const covers = (grant: Grant, call: CallInQuestion) =>
  isSameTool(call, grant) &&
  (grant.scope === 'always' || grant.scopeId === (grant.scope === 'gpt' ? call.gptId : call.conversationId))

/**
 * Whether a call runs or asks. A grant is the user's own "do not ask again" and holds under every policy; beyond that
 * `auto` runs, `always-ask` asks, and `trusted-only` runs what the GPT trusts. Where text of another server, not trusted,
 * is in the conversation, what may do harm asks whatever was said before; so does what would carry a key away.
 */
export function judgeCall(
  call: CallInQuestion,
  policy: ApprovalPolicy,
  trusted: readonly TrustedTool[],
  grants: readonly Grant[],
): Verdict {
  if (holdsSecret(call.arguments)) return { verdict: 'ask' }
  const tainted = isTainted(call)
  const grant = grants.find((one) => covers(one, call) && (!tainted || isInformed(one, call)))
  if (grant) return { verdict: 'run', by: 'grant', scope: grant.scope }
  if (tainted) return { verdict: 'ask' }
  switch (policy) {
    case 'auto':
      return { verdict: 'run', by: 'policy' }
    case 'always-ask':
      return { verdict: 'ask' }
    case 'trusted-only': {
      // A server's own hint is a claim, not a fact: it counts only for servers the user trusts.
      const isHarmless = call.serverTrusted && call.annotations.readOnly === true
      return isHarmless || trusted.some((tool) => isSameTool(call, tool))
        ? { verdict: 'run', by: 'policy' }
        : { verdict: 'ask' }
    }
  }
}
