export type Picking = 'prompts' | 'resources'

/** What was typed just now that opens a choice: a / as the first letter of all, an @ that begins a word. */
export function openedBy(before: string, now: string, caret: number): { picking: Picking; at: number } | undefined {
  const at = caret - 1
  if (now.length !== before.length + 1) return undefined
  // Pasted or dropped elsewhere, it was not typed here.
  if (now.slice(0, at) !== before.slice(0, at) || now.slice(caret) !== before.slice(at)) return undefined
  if (now === '/') return { picking: 'prompts', at }
  const beginsWord = at === 0 || /\s/.test(now[at - 1] ?? '')
  return now[at] === '@' && beginsWord ? { picking: 'resources', at } : undefined
}
