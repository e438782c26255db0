/** Reads, and writes that servers take twice without harm. Whatever else is asked may have run. */
export const mayRepeat = (method: string): boolean =>
  /^(?!tools\/call)(tools|resources|prompts|completion|logging|tasks|subscriptions|server|initialize|ping)\b/.test(
    method,
  )
