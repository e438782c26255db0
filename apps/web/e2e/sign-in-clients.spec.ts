import { generateKeyPairSync } from 'node:crypto'
import type { Page } from '@playwright/test'
import { canariesIn, canary } from './canaries.ts'
import { expect } from './chat-fixtures.ts'
import { card, expectNoSecret, line, openWindow, readable, signInAt, test as base } from './signing-in.ts'

// Every way in which an app can be known to who signs people in, entered in the form, with `oidc-provider`.

const DOCUMENT = 'https://app.test/client.json'
const SECRET = canary('own-secret')
const rsa = keyPair('rsa')
const ec = keyPair('ec')

function keyPair(kind: 'rsa' | 'ec') {
  const { privateKey, publicKey } =
    kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const alg = kind === 'rsa' ? 'RS256' : 'ES256'
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), alg, use: 'sig' }] },
  }
}

/** What nobody may find: in a key, a line of it that no other key has. */
const secretOf = (entered: string): string => entered.split('\n').at(-3) ?? entered

const test = base.extend({
  clients: async ({ companion }, use) => {
    const person = {
      application_type: 'native',
      redirect_uris: [`${companion.origin}/oauth/callback`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }
    const program = { redirect_uris: [], response_types: [], grant_types: ['client_credentials'] }
    const key = { token_endpoint_auth_method: 'private_key_jwt' }
    await use({
      clients: [
        { ...person, client_id: 'known', token_endpoint_auth_method: 'none' },
        { ...person, client_id: 'trusted', client_secret: SECRET },
        { ...person, ...key, client_id: 'keyed', jwks: rsa.jwks },
        { ...person, ...key, client_id: 'curved', jwks: ec.jwks },
        { ...program, client_id: 'machine', client_secret: SECRET },
        { ...program, ...key, client_id: 'keyed-machine', jwks: rsa.jwks },
      ],
      documents: {
        [DOCUMENT]: { ...person, client_id: DOCUMENT, client_name: 'Switchboard', token_endpoint_auth_method: 'none' },
      },
    })
  },
})

interface Entered {
  document?: string
  clientId?: string
  secret?: string
  key?: [algorithm: string, pem: string]
}

async function fillIn(app: Page, url: string, { document, clientId, secret, key }: Entered, isProgram = false) {
  await app.goto(`${new URL(app.url()).origin}/#/servers/new`)
  await app.getByLabel('Address').fill(url)
  // The address alone is looked at while the rest is still to come: it registers a client, which must not be used later.
  await expect(card(app)).toBeVisible()
  await app.getByText('Details', { exact: true }).click()
  await app.getByLabel('Authentication').selectOption('oauth2')
  if (isProgram) await app.getByText('This app signs in by itself').click()
  if (document) await app.getByLabel('Address of a client document').fill(document)
  if (clientId) await app.getByLabel('Client id').fill(clientId)
  if (key) {
    await app.getByLabel('The client proves itself with').selectOption(key[0])
    await app.getByLabel('Private key').fill(key[1])
  }
  if (secret) await app.getByLabel('Client secret').fill(secret)
  if (isProgram) await app.getByLabel('Scopes').fill('notes')
  await app.getByRole('button', { name: 'Test connection' }).click()
}

/** Saves what was tried, and uses it. */
async function saveAndCall(app: Page): Promise<void> {
  await expect(app.getByRole('heading', { name: 'What it offers' })).toBeVisible()
  await app.getByRole('button', { name: 'Save' }).click()
  await expect(line(app, 'protected-notes')).toContainText('· connected ·')
  await app.getByRole('link', { name: 'Tools', exact: true }).click()
  await app
    .getByRole('navigation', { name: 'Tools' })
    .getByRole('link', { name: /whoami/ })
    .click()
  await app.getByRole('region', { name: 'Arguments' }).getByRole('button', { name: 'Run', exact: true }).click()
  await expect(app.getByRole('region', { name: 'Result', exact: true })).toContainText('somebody who is signed in')
}

/** The addresses that every window asked for. */
function watchAddresses(app: Page): string[] {
  const seen: string[] = []
  app.context().on('request', (request) => seen.push(request.url()))
  return seen
}

const PEOPLE: [name: string, entered: Entered, clientId: string | RegExp][] = [
  ['nothing, and registers itself', {}, /^[\w-]{8,}$/],
  ['a document of its own', { document: DOCUMENT }, DOCUMENT],
  ['a client id', { clientId: 'known' }, 'known'],
  ['a client id and a secret', { clientId: 'trusted', secret: SECRET }, 'trusted'],
  ['a client id and an RSA key', { clientId: 'keyed', key: ['RS256', rsa.pem] }, 'keyed'],
  ['a client id and an EC key', { clientId: 'curved', key: ['ES256', ec.pem] }, 'curved'],
]

for (const [name, entered, clientId] of PEOPLE)
  test(`with ${name}: entered, signed in to in a window of the click, saved and used`, async ({ app, far }) => {
    const addresses = watchAddresses(app)
    await fillIn(app, far.mcpUrl, entered)
    await expect(card(app)).toContainText(new URL(far.issuer).host)
    const window = await openWindow(app)
    const closed = window.waitForEvent('close')
    await signInAt(window)
    await closed
    await saveAndCall(app)
    const visit = far.asked.find(({ path }) => path === '/auth')
    expect(visit?.query.get('client_id')).toEqual(
      typeof clientId === 'string' ? clientId : expect.stringMatching(clientId),
    )
    expect(far.grants.map(({ type, refused }) => [type, refused])).toEqual([['authorization_code', undefined]])
    expectUnseen(far, await readable(app), addresses, entered)
  })

const PROGRAMS: [name: string, entered: Entered][] = [
  ['a secret', { clientId: 'machine', secret: SECRET }],
  ['a key', { clientId: 'keyed-machine', key: ['RS256', rsa.pem] }],
]

for (const [name, entered] of PROGRAMS)
  test(`with ${name} the app signs in by itself: entered, saved and used, and no window opens`, async ({
    app,
    far,
    context,
  }) => {
    const addresses = watchAddresses(app)
    await fillIn(app, far.mcpUrl, entered, true)
    await saveAndCall(app)
    expect(context.pages()).toHaveLength(1)
    expect(new Set(far.grants.map(({ type, refused }) => `${type} ${refused}`))).toEqual(
      new Set(['client_credentials undefined']),
    )
    expectUnseen(far, await readable(app), addresses, entered)
  })

function expectUnseen(
  far: Parameters<typeof expectNoSecret>[0],
  text: string,
  addresses: string[],
  { secret, key }: Entered,
): void {
  const own = {
    ...(secret !== undefined && { 'the client secret': secret }),
    ...(key && { 'the private key': secretOf(key[1]) }),
  }
  expectNoSecret(far, text, own)
  expect(canariesIn(JSON.stringify(far.called), own)).toEqual([])
  // A code is brought back in an address; it is good once, and with the verifier only.
  const codes = new Set(far.grants.map(({ parameters }) => parameters['code']))
  const tokens = [...far.secrets].filter((one) => !codes.has(one)).map((one, at) => [`token ${at}`, one] as const)
  expect(tokens.length).toBeGreaterThan(0)
  expect(addresses.length).toBeGreaterThan(0)
  expect(canariesIn(addresses.join('\n'), { ...Object.fromEntries(tokens), ...own })).toEqual([])
}
