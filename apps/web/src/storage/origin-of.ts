/** To whom an address belongs; an address that is none is its own. */
export function originOf(url: string): string {
  try {
    return new URL(url).origin
  } catch {
    return url
  }
}
