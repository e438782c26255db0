/** Text of strangers for a terminal or a page: what would move a cursor, or turn the direction of reading, is shown instead. */
export const visibleText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) =>
    sign === '\n' ? sign : `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
