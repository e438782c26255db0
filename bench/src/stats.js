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
 * The order of a round: rotated by one with every pair of rounds and reversed in every second one
 * (A B C, C B A, B C A, A C B, …), so that drift, neighbours and position cancel in the ratios.
 */
export function roundOrder(items, round) {
  const shift = Math.floor(round / 2) % items.length
  const order = [...items.slice(shift), ...items.slice(0, shift)]
  return round % 2 === 1 ? order.reverse() : order
}
