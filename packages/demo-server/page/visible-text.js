/** Characters that hide text or paint it elsewhere: controls, direction marks, zero widths, tags; not the joints of emoji. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029](?<!\p{Extended_Pictographic}\ufe0f?\u200d)/gu

/** A stranger's text with every hidden character shown. @param {string} text */
export const visibleText = (text) =>
  text.replace(HIDDEN, (character) => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`)

/** @param {number} bytes */
export function sizeInWords(bytes) {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** @param {number} ms */
export const durationInWords = (ms) => (ms < 995 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`)
