import { timeAgo } from '#lib/time-ago.ts'

/** How long ago, with the exact time on hover. */
export const TimeAgo = ({ time }: { time: number }) => (
  <time dateTime={new Date(time).toISOString()} title={new Date(time).toLocaleString()}>
    {timeAgo(time, Date.now())}
  </time>
)
