const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "3 hours ago", "yesterday", "just now". */
export function timeAgo(time: number, now: number): string {
  const seconds = (time - now) / 1000
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  return step ? words.format(Math.round(seconds / step[1]), step[0]) : 'just now'
}
