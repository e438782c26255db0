const DAY_MS = 86_400_000

/** Groups what is sorted by time, newest first, under words that people use. */
export function groupByDay<T extends { updatedAt: number }>(
  items: readonly T[],
  now: number,
): { day: string; items: T[] }[] {
  const today = new Date(now).setHours(0, 0, 0, 0)
  const nameOf = (time: number) => {
    if (time >= today) return 'Today'
    if (time >= today - DAY_MS) return 'Yesterday'
    if (time >= today - 7 * DAY_MS) return 'Last 7 days'
    return new Date(time).toLocaleDateString('en', { month: 'long', year: 'numeric' })
  }
  const groups: { day: string; items: T[] }[] = []
  for (const item of items) {
    const day = nameOf(item.updatedAt)
    const last = groups.at(-1)
    if (last?.day === day) last.items.push(item)
    else groups.push({ day, items: [item] })
  }
  return groups
}
