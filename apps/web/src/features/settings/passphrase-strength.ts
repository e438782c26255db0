export interface Strength {
  level: 'weak' | 'fair' | 'strong'
  /** 0 to 1, for the bar. */
  share: number
  words: string
}

/**
 * A rough measure by length and variety, which is what guessing costs. Repeated and neighbouring letters count little:
 * "aaaaaaaaaaaa" and "abcdefgh1234" are guessed first.
 */
export function passphraseStrength(passphrase: string): Strength {
  const letters = Array.from(passphrase)
  const telling = letters.filter((letter, at) => {
    const before = letters[at - 1]?.codePointAt(0)
    return before === undefined || Math.abs((letter.codePointAt(0) ?? 0) - before) > 1
  }).length
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9\s]/, /\s/].filter((kind) => kind.test(passphrase)).length
  const bits = telling * (2.2 + kinds * 0.6)
  const share = Math.min(1, bits / 75)
  if (bits < 35)
    return { level: 'weak', share, words: 'Easily guessed. A few words that do not belong together are better.' }
  if (bits < 60) return { level: 'fair', share, words: 'Fair. One more word makes it strong.' }
  return { level: 'strong', share, words: 'Strong.' }
}
