/** Names that mean a device, and no file, on some machines. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const LONGEST = 80

/** The name of a file of harmless letters, whatever a stranger's address or title says: no folder, no device, nothing hidden. */
export function safeFileName(address: string, otherwise = 'resource'): string {
  const path = address.split(/[?#]/)[0] ?? ''
  const last = path.split(/[/\\:]/).findLast(Boolean) ?? ''
  const name = decoded(last)
    .split(/[/\\:]/)
    .at(-1)
    ?.replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(-LONGEST)
  if (!name) return otherwise
  return DEVICE.test(name) ? `_${name}` : name
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
