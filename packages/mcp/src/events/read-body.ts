const MAX_BODY = 256 * 1024
const MAX_MS = 10_000

/** The bytes of a request, or undefined when there are too many. What is not there in time is cut off. */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const body = new Uint8Array(MAX_BODY)
  let length = 0
  const reader = request.body?.getReader()
  // The signature does not hold for less than was sent.
  const timer = setTimeout(() => void reader?.cancel().catch(() => {}), MAX_MS)
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      if (length + part.value.length > MAX_BODY) {
        await reader?.cancel()
        return undefined
      }
      body.set(part.value, length)
      length += part.value.length
    }
  } finally {
    clearTimeout(timer)
  }
  return body.subarray(0, length)
}
