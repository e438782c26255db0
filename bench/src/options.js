/** `--flag value` and `--flag`, as an object. */
export function options(argv = process.argv.slice(2)) {
  const out = {}
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]
    if (!word.startsWith('--')) throw new TypeError(`Unexpected argument ${word}: options start with --`)
    const next = argv[i + 1]
    const hasValue = next !== undefined && !next.startsWith('--')
    out[word.slice(2)] = hasValue ? next : true
    if (hasValue) i++
  }
  return out
}

/** Whether `only` ("a,b*") names this id; without `only` everything is named. */
export function named(id, only) {
  if (only === undefined) return true
  return only.split(',').some((word) => (word.endsWith('*') ? id.startsWith(word.slice(0, -1)) : id === word))
}
