interface Policy {
  createScriptURL(url: string): string
}
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined

/** The only addresses that this program may start a worker from: Trusted Types refuse every other. */
export function trustedScripts<Name extends string>(addresses: () => Record<Name, string>): (name: Name) => string {
  const rules: Policy = {
    createScriptURL(url) {
      if (!Object.values(addresses()).includes(url)) throw new TypeError(`${url} is not a worker of this app`)
      return url
    },
  }
  const policy = typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('switchboard', rules)
  return (name) => policy.createScriptURL(addresses()[name])
}
