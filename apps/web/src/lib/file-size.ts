const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** "12 B", "2.1 KB", "35 MB". */
export function fileSize(bytes: number): string {
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** step
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[step]}`
}
