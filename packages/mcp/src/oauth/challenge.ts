/** What a server wants, as its `WWW-Authenticate` header says it. */
export interface ReadChallenge {
  scope?: string
  resourceMetadata?: string
  error?: string
}

// One parameter: token = token or quoted string. Each step takes at least one character, so the search is linear.
const PARAMETER = /([\w-]{1,64})\s*=\s*(?:"((?:[^"\\]|\\.){0,4096})"|([^\s,"]{1,4096}))/gs

/** Reads the parameters of every Bearer or DPoP challenge; the first of a name counts. */
export function readChallenge(header: string | undefined): ReadChallenge {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of (header ?? '').slice(0, 16_384).matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/gs, '$1') ?? plain)
  }
  const challenge: ReadChallenge = {}
  const scope = found.get('scope')
  const resourceMetadata = found.get('resource_metadata')
  const error = found.get('error')
  if (scope) challenge.scope = scope
  if (resourceMetadata) challenge.resourceMetadata = resourceMetadata
  if (error) challenge.error = error
  return challenge
}
