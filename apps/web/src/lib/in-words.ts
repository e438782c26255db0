/** 80 ms, 0.8 s, 2 min 5 s. */
export function durationInWords(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}

const encoder = new TextEncoder()
export const bytesOf = (text: string): number => encoder.encode(text).length
