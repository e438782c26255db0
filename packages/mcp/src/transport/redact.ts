import type { HttpLink } from './http-link.ts'

/** Takes the secrets of a connection out of a text that a stranger may have written. */
export function redact({ sessionId, token, options }: HttpLink, text: string): string {
  for (const secret of [sessionId, token, ...Object.values(options.headers)]) {
    // The words of a header one by one: "Bearer x" must not save x.
    for (const word of secret?.split(' ') ?? []) if (word.length > 5) text = text.replaceAll(word, '•••')
  }
  return text
}
