import type { GptTools, TrustedTool } from './gpt.ts'
import type { Grant } from './grant.ts'
import { holdsSecret } from './holds-secret.ts'
import type { ToolAnnotations } from './server.ts'
import type { AskReason } from './tool-call.ts'

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

export type Verdict =
  | { verdict: 'run'; by: 'policy' | 'grant'; scope?: Grant['scope'] }
  | { verdict: 'ask'; why: AskReason }

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

export type ApprovalRules = Pick<GptTools, 'approval' | 'trustedTools' | 'askOnUntrustedContent'>

/** Why the policy of the GPT asks, if it does. */
function whyPolicyAsks(call: CallInQuestion, { approval, trustedTools }: ApprovalRules): AskReason | undefined {
  switch (approval) {
    case 'auto':
      return undefined
    case 'always-ask':
      return 'always-ask'
    case 'trusted-only': {
      // A server's own hint is a claim, not a fact: it counts only for servers the user trusts.
      const isHarmless = call.serverTrusted && call.annotations.readOnly === true
      return isHarmless || trustedTools.some((tool) => isSameTool(call, tool)) ? undefined : 'not-trusted'
    }
  }
}

/**
 * Whether a call runs or asks. A grant is the user's own "don't ask again" and holds under every policy; beyond that `auto`
 * runs, `always-ask` asks, and `trusted-only` runs what the GPT trusts. Unless the GPT's switch is off, two things ask whatever
 * was said before: a call that may do harm while text of an untrusted server is in the conversation, and one that would send
 * what looks like a key.
 */
export function judgeCall(call: CallInQuestion, rules: ApprovalRules, grants: readonly Grant[]): Verdict {
  const standing = grants.filter((grant) => covers(grant, call))
  const policyAsks = whyPolicyAsks(call, rules)
  if (standing.length === 0 && policyAsks) return { verdict: 'ask', why: policyAsks }
  const isGuarded = rules.askOnUntrustedContent !== false
  if (isGuarded && holdsSecret(call.arguments)) return { verdict: 'ask', why: 'secret' }
  const tainted = isGuarded && isTainted(call)
  const grant = standing.find((one) => !tainted || isInformed(one, call))
  if (grant) return { verdict: 'run', by: 'grant', scope: grant.scope }
  return tainted ? { verdict: 'ask', why: 'untrusted-content' } : { verdict: 'run', by: 'policy' }
}
