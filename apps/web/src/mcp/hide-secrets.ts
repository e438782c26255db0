/** A text without secrets, whoever put them there: a server may repeat what it was sent, or a word of it. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, ...secret.split(' ')])
    .filter(({ length }) => length > 3)
    // Longest first: a secret inside another would leave the rest of it.
    .sort((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
