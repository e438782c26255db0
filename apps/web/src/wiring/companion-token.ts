/** Takes the companion's token out of the address, so that no bookmark, history entry or screenshot keeps it. */
export function takeCompanionToken(): string | undefined {
  const token = /^#token=([A-Za-z0-9_-]{20,200})$/.exec(location.hash)?.[1]
  if (token !== undefined) history.replaceState(null, '', `${location.pathname}#/`)
  return token
}
