import { vi } from 'vitest'

/** For tests: a passphrase is derived with a thousandth of the rounds. The tests in Chromium take them all. */
export function quickDerivation() {
  const derive = crypto.subtle.deriveKey.bind(crypto.subtle)
  return vi.spyOn(crypto.subtle, 'deriveKey').mockImplementation((algorithm, ...rest) => {
    const quick =
      'iterations' in (algorithm as object) ? { iterations: (algorithm as Pbkdf2Params).iterations / 1000 } : {}
    return derive({ ...(algorithm as Pbkdf2Params), ...quick }, ...rest)
  })
}
