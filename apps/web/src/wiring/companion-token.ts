const TOKEN = /^#token=([A-Za-z0-9_-]{20,200})$/

/**
 * Takes the companion's token out of the address, so that no bookmark, history entry or screenshot keeps it. A document
 * remembers the address it was opened with, for every script to read (`performance`, `navigation.activation`): so it is
 * left for a new one, which finds the token in the state of its history entry. True where that is under way.
 */
export function leaveTokenAddress(returnTo = `${location.pathname}#/`): boolean {
  const companionToken = TOKEN.exec(location.hash)?.[1]
  if (companionToken === undefined) return false
  history.replaceState({ companionToken }, '', returnTo)
  location.reload()
  return true
}

/** The token that the document before this one left behind; it is found once. */
export function takeCompanionToken(): string | undefined {
  const { companionToken } = (history.state ?? {}) as { companionToken?: unknown }
  if (typeof companionToken !== 'string') return undefined
  history.replaceState(null, '')
  return companionToken
}
