/** A name for a file that any system takes, from what something is called. */
export const fileName = (title: string, otherwise: string): string =>
  title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80) || otherwise
