/** A person at the pages of `oidc-provider`, without a browser: signs in, agrees, and brings back the query they return with. */
export async function signInAsPerson(url: string | URL, backTo: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>()
  let next = new URL(url)
  let body: URLSearchParams | undefined
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location) {
      next = new URL(location, next)
      if (next.href.startsWith(backTo)) return next.searchParams
      body = undefined
      continue
    }
    const page = await response.text()
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? []
    if (!prompt) throw new Error(`The sign-in page says ${response.status}: ${page.slice(0, 2000)}`)
    body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: 'ada', password: 'any' }) })
  }
  throw new Error('The sign-in pages lead nowhere.')
}
