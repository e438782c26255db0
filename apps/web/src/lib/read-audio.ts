/** The media type of a WAV or MP3 file in base64, read from its first bytes. */
export function readAudio(base64: string): 'audio/wav' | 'audio/mpeg' | undefined {
  let head: string
  try {
    head = atob(base64.slice(0, 16))
  } catch {
    return undefined
  }
  if (head.startsWith('RIFF') && head.startsWith('WAVE', 8)) return 'audio/wav'
  if (head.startsWith('ID3')) return 'audio/mpeg'
  // A frame of MPEG layer III: eleven set bits, a version that exists, and the number of the layer.
  const [first = 0, second = 0] = Array.from(head.slice(0, 2), (one) => one.charCodeAt(0))
  const isFrame = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08
  return isFrame ? 'audio/mpeg' : undefined
}
