import { InMemoryOAuthProvider, OAuthTokenSource, oauthErrorOf, type OAuthFault, signOut } from '@switchboard/mcp/oauth'
import { everythingIn } from '@switchboard/testkit/fault-oracle'
import { expect, test } from 'vitest'
import { createHostileWorld, REDIRECT_URL, SERVER_URL } from './hostile-world.ts'

// More in `npm run fuzz`. One that failed is run alone with SWITCHBOARD_FUZZ_SEED=<seed> SWITCHBOARD_FUZZ=1.
const count = Number(process.env['SWITCHBOARD_FUZZ'] ?? 500)
const first = Number(process.env['SWITCHBOARD_FUZZ_SEED'] ?? 1)

const MAX_REQUESTS = 40

/** Faults whose text has nobody's name to give. */
const NAMELESS: OAuthFault[] = ['foreign-answer', 'timeout', 'no-client']

/** What is wrong with a run, in words. */
async function judge(seed: number): Promise<{ outcome: string; problems: string[] }> {
  const problems: string[] = []
  const world = createHostileWorld(seed)
  const { storage, asked, fetch, challenge, status, confirms, legacy } = world
  const opened: URL[] = []
  const provider = new InMemoryOAuthProvider({
    serverUrl: SERVER_URL,
    redirectUrl: REDIRECT_URL,
    storage: {
      get: (key) => storage.get(key),
      set: (key, value) => void storage.set(key, value),
      delete: (key) => void storage.delete(key),
    },
    signIn: (url) => {
      opened.push(url)
      return world.callback(url)
    },
    confirm: () => confirms,
    allowLegacyDiscovery: legacy,
    clientMetadataUrl: 'https://app.example/client.json',
  })
  const source = new OAuthTokenSource(provider, SERVER_URL, fetch)
  const hosts = () => ['mcp.example', ...asked.map(({ url }) => new URL(url).host)]
  let outcome = ''
  for (const deed of ['challenge', 'token', 'again', 'sign-out'] as const) {
    try {
      if (deed === 'token') await source.token()
      else if (deed === 'sign-out') await signOut(provider, { serverUrl: SERVER_URL, fetchFn: fetch })
      else {
        const result = await source.challenge({ status, wwwAuthenticate: challenge, token: await source.token() })
        if (deed === 'challenge') outcome = String(result)
      }
    } catch (error) {
      const found = oauthErrorOf(error)
      if (deed === 'challenge') outcome = found?.fault ?? 'untyped'
      if (!found || found !== error) problems.push(`${deed}: not typed: ${everythingIn(error)}`)
      else {
        const shown = `${everythingIn(error)} ${JSON.stringify(error)}`
        // oxlint-disable-next-line no-control-regex
        if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(found.message))
          problems.push(`${deed}: ${JSON.stringify(found.message)}`)
        if (found.message.length > 500) problems.push(`${deed}: a long message`)
        if (/canary/.test(shown)) problems.push(`${deed}: a secret in ${shown}`)
        if (!NAMELESS.includes(found.fault) && !hosts().some((host) => found.message.includes(host)))
          problems.push(`${deed}: whose fault? ${found.message}`)
      }
    }
  }
  for (const url of opened) {
    const { protocol, host, username, password, hash } = url
    const safe = protocol === 'https:' && !username && !password && !hash
    if (!safe || (host !== 'as.example' && !confirms && host !== 'mcp.example')) problems.push(`opened ${url.href}`)
    if (/canary/.test(url.href)) problems.push(`a secret in ${url.href}`)
  }
  for (const { url, sent } of asked) {
    const { protocol, host } = new URL(url)
    if (protocol !== 'https:' || /canary/.test(url)) problems.push(`asked ${url}`)
    // People may agree to the other hosts that their authorization server names; an old server is its own.
    const trusted = host === 'as.example' || confirms || (legacy && host === 'mcp.example' && !/canary-old/.test(sent))
    if (/canary|code_verifier/.test(sent) && !trusted) problems.push(`${host} was told ${sent}`)
  }
  if (asked.length > MAX_REQUESTS) problems.push(`${asked.length} requests`)
  if (opened.length > 4) problems.push(`${opened.length} sign-ins`)
  if ('polluted' in {}) problems.push('a prototype was changed')
  return { outcome, problems }
}

test(`[A1.13] [A1.16] ${count} hostile servers, from seed ${first}: a typed error or a token, no loop, no leak`, {
  timeout: 60_000 + count * 30,
}, async () => {
  const failed: object[] = []
  const outcomes = new Map<string, number>()
  for (let seed = first; seed < first + count; seed++) {
    const { outcome, problems } = await judge(seed)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (problems.length > 0) failed.push({ seed, problems: problems.map((problem) => problem.slice(0, 600)) })
  }
  console.info(`OAuth fuzz, seeds ${first} to ${first + count - 1}:`, Object.fromEntries(outcomes))
  expect(failed.slice(0, 5)).toEqual([])
  if (count < 200) return
  // Worlds that all fail in the same place would show nothing of what comes behind it.
  expect(outcomes.get('true') ?? 0).toBeGreaterThan(count / 50)
  const reached = ['bad-document', 'unsafe-address', 'issuer-mismatch', 'foreign-answer', 'token-refused', 'redirect']
  expect(reached.filter((fault) => !outcomes.has(fault))).toEqual([])
})
