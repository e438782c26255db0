import type { Branch, Conversation } from './conversation.ts'

type Branched = Pick<Conversation, 'branches' | 'branchId'>

/** A stretch of one branch: its messages from `from` up to, not including, `to`. */
export interface Stretch {
  branchId: string
  from: number
  to: number
}

/** The stretches that make up what is shown, first to last. */
export function stretches({ branches, branchId }: Branched): Stretch[] {
  const found: Stretch[] = []
  let to = Number.POSITIVE_INFINITY
  let branch = branches.find(({ id }) => id === branchId)
  // A parent is always older than its child; a file that says otherwise would be followed in circles.
  for (let steps = 0; branch && steps <= branches.length; steps += 1) {
    if (branch.from < to) found.unshift({ branchId: branch.id, from: branch.from, to })
    to = Math.min(to, branch.from)
    const { parentId } = branch
    branch = branches.find(({ id }) => id === parentId)
  }
  return found
}

/** The branch that holds the message at this place of what is shown. */
export const branchAt = (conversation: Branched, order: number): string | undefined =>
  stretches(conversation).find(({ from, to }) => order >= from && order < to)?.branchId

/** A new branch that leaves what is shown just before `order`, and is shown from now on. */
export function fork(conversation: Branched, order: number, id: string): Branched {
  const parentId = order === 0 ? null : (branchAt(conversation, order - 1) ?? null)
  const branch: Branch = { id, parentId, from: order }
  return { branches: [...conversation.branches, branch], branchId: id }
}

/** The branches that differ from each other at this place, oldest first: the versions of that message. */
export function variantsAt(conversation: Branched, order: number): string[] {
  const shown = branchAt(conversation, order)
  if (shown === undefined) return []
  const parentId = order === 0 ? null : (branchAt(conversation, order - 1) ?? null)
  const isVariant = ({ id, parentId: parent, from }: Branch) =>
    (from === order && parent === parentId) || (id === parentId && order > 0 && from < order)
  const variants = conversation.branches.filter(isVariant).map(({ id }) => id)
  return variants.includes(shown) ? variants : [...variants, shown]
}
