/** How keys look that services give out: a fixed beginning, then many letters. A run of letters is looked at once, from its beginning. */
const LOOKS: readonly RegExp[] = [
  /(?<![\w-])sk-[\w-]{16,}/,
  /(?<![\w-])gh[oprsu]_\w{20,}/,
  /(?<![\w-])github_pat_\w{20,}/,
  /(?<![\w-])glpat-[\w-]{16,}/,
  /(?<![\w-])xox[abeprs]-[\w-]{10,}/,
  /(?<![\w-])AKIA[\dA-Z]{16}\b/,
  /(?<![\w-])AIza[\w-]{30,}/,
  /(?<![\w-])ey[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/,
]

/** Whether a text holds what looks like a key or a token: such a thing leaves only by the user's own word. */
export const holdsSecret = (text: string): boolean => LOOKS.some((look) => look.test(text))
