/**
 * Where a tool is shown, whatever its name is made of. The router decodes an address once, and not all of it: `%2F` stays, `%252F`
 * becomes `%2F`. So the name is encoded twice, and `toolNameAt` decodes what is left. As JSON, because half a character, which a
 * server may send or which is left where a name is cut, cannot be encoded otherwise.
 */
export const placeOfTool = (serverId: string, toolName: string): string =>
  `/tools/${encodeURIComponent(serverId)}/${encodeURIComponent(encodeURIComponent(JSON.stringify(toolName).slice(1, -1)))}`

/** The name that the last part of such an address tells. What nobody here has written is taken by the letter. */
export function toolNameAt(place: string): string {
  try {
    return JSON.parse(`"${decodeURIComponent(place)}"`) as string
  } catch {
    return place
  }
}
