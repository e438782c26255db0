/** The authentication schemes of a `WWW-Authenticate` header, in lower case. */
export function challengeSchemes(header: string | undefined): string[] {
  // A quoted parameter may hold commas and words of any kind.
  const bare = (header ?? '').slice(0, 4096).replace(/"(?:[^"\\]|\\.)*"/g, '')
  return [...bare.matchAll(/(?:^|,)\s*([a-z][a-z0-9-]*)(?=\s+[^\s=]|\s*(?:,|$))/gi)].map(([, name = '']) =>
    name.toLowerCase(),
  )
}

/** Whether a user name and a password are the only thing that a server accepts. */
export const wantsPassword = (header: string | undefined): boolean => {
  const schemes = challengeSchemes(header)
  return schemes.includes('basic') && !schemes.some((scheme) => scheme === 'bearer' || scheme === 'dpop')
}
