/** Hands a file to the browser's downloads. It is never opened here, whatever it says it is. */
export function download(name: string, content: BlobPart): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then; without this the file would stay in memory.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
