import { branchAt, variantsAt } from '#domain/branches.ts'
import type { Conversation } from '#domain/conversation.ts'
import { IconButton } from '#ui/button.tsx'
import { useEngine } from '#wiring/use-engine.ts'
import { sayFailure } from './say-failure.ts'
import styles from './turn.module.css'

/** ‹ 1/2 ›: the versions of what stands at this place. Nothing that was edited or made anew is lost. */
export function Versions({ conversation, order }: { conversation: Conversation; order: number }) {
  const engine = useEngine()
  const variants = variantsAt(conversation, order)
  const shown = variants.indexOf(branchAt(conversation, order) ?? '')
  if (variants.length < 2) return null
  const go = (to: number) => {
    const branchId = variants[to]
    if (branchId) void engine.switchBranch({ conversationId: conversation.id, branchId }).catch(sayFailure)
  }
  return (
    <span className={styles.versions}>
      <IconButton small label="Earlier version" icon="left" disabled={shown <= 0} onClick={() => go(shown - 1)} />
      <span aria-label={`Version ${shown + 1} of ${variants.length}`}>
        {shown + 1}/{variants.length}
      </span>
      <IconButton
        small
        label="Later version"
        icon="right"
        disabled={shown >= variants.length - 1}
        onClick={() => go(shown + 1)}
      />
    </span>
  )
}
