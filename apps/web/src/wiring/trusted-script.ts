interface Policy {
  createScriptURL(url: string): string
}
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined

/** The one address that this half may make a worker of: Trusted Types refuse every other. */
export function trustedScript(address: () => string): () => string {
  const rules: Policy = {
    createScriptURL(url) {
      if (url !== address()) throw new TypeError(`${url} is no worker of this app`)
      return url
    },
  }
  const policy = typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('switchboard', rules)
  return () => policy.createScriptURL(address())
}
