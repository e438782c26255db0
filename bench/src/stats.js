export function quantile(values, q) {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length === 0) return Number.NaN
  const at = (sorted.length - 1) * q
  const low = Math.floor(at)
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low)
}

/** Median and quartiles: what every figure is reported as. */
export const summary = (values) => ({
  n: values.length,
  median: quantile(values, 0.5),
  p25: quantile(values, 0.25),
  p75: quantile(values, 0.75),
})

/**
 * The order of a round, after Williams: from round to round each contestant comes after another one, and in another place, until it has
 * come after each equally often. What one leaves to the next (garbage, warm caches) so cancels in the ratios; where an order
 * only rotates, everybody has the same two neighbours for ever.
 */
export function roundOrder(items, round) {
  const { length } = items
  const zigzag = items.map((_, place) => (place % 2 === 0 ? place / 2 : length - (place + 1) / 2))
  const order = zigzag.map((place) => items[(place + round) % length])
  // With an odd number it takes the mirror image of every order too.
  return Math.floor(round / length) % 2 === 1 ? order.reverse() : order
}
