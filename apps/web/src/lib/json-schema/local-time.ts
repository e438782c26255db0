const two = (number: number): string => String(number).padStart(2, '0')

/** A moment for an input of this machine's time; undefined where that input could not show it as it is. */
export function toLocalTime(moment: string): string | undefined {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return undefined
  const local = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
  const shown = date.getSeconds() > 0 ? `${local}:${two(date.getSeconds())}` : local
  return fromLocalTime(shown) === moment ? shown : undefined
}

/** The moment that was chosen, in UTC: without a zone it would mean another one elsewhere. */
export function fromLocalTime(local: string): string | undefined {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('.000Z', 'Z')
}
