/** A text without secrets, whoever put them there: a server may repeat what it was sent, or a word of it. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, ...secret.split(' ')])
    .filter(({ length }) => length > 3)
    // Longest first: a secret inside another would leave the rest of it.
    .sort((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)

/** As it stands inside a string of JSON. */
export const asJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** A header may say "true", and so may an answer: what is no secret by its length is left where it is. */
const SHORTEST_IN_RESULTS = 12

/** What a server answered, without the credentials that it was sent: the model that reads it is somebody else. */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  const sought = secrets.filter(({ length }) => length >= SHORTEST_IN_RESULTS).map(asJson)
  if (sought.length === 0) return value
  const text = JSON.stringify(value)
  if (!sought.some((secret) => text.includes(secret))) return value
  return JSON.parse(sought.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)) as T
}
