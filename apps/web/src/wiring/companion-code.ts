const CODE = /^#code=([A-Za-z0-9_-]{20,200})$/

/**
 * Takes the companion's code out of the address, so that no bookmark keeps it and a reload does not try it again. A
 * document remembers the address it was opened with, for every script to read (`performance`, `navigation.activation`): so
 * it is left for a new one, which finds the code in the state of its history entry. True where that is under way.
 */
export function leaveCodeAddress(returnTo = `${location.pathname}#/`): boolean {
  const companionCode = CODE.exec(location.hash)?.[1]
  if (companionCode === undefined) return false
  history.replaceState({ companionCode }, '', returnTo)
  location.reload()
  return true
}

/** The code that the document before this one left behind; it is found once. */
export function takeCompanionCode(): string | undefined {
  const { companionCode } = (history.state ?? {}) as { companionCode?: unknown }
  if (typeof companionCode !== 'string') return undefined
  history.replaceState(null, '')
  return companionCode
}
