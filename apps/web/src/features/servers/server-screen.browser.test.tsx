import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { Failed } from '#domain/failure.ts'
import type { Server } from '#domain/server.ts'
import { SIGN_IN_CHANNEL } from '#lib/sign-in-names.ts'
import { Database } from '#storage/db.ts'
import { Lines } from '#ui/lines.tsx'
import type { ServerReport } from '#wiring/commands.ts'
import { eventually, mountInTest } from '../chat/mount-in-test.tsx'
import { ServerLine } from './server-line.tsx'
import { ServerScreen } from './server-screen.tsx'

const db = new Database()
let mounted: ReturnType<typeof mountInTest>
afterEach(async () => {
  mounted.unmount()
  await Promise.all(db.tables.map((table) => table.clear()))
})

const server: Server = {
  id: 's-1',
  name: 'Notes',
  description: '',
  transport: 'streamable-http',
  url: 'https://notes.example/mcp',
  headerNames: [],
  authentication: { type: 'none' },
  timeoutSeconds: 30,
  retries: 0,
  relay: false,
  trusted: false,
  enabled: true,
  createdAt: 1,
  updatedAt: 1,
}
const found = (capabilities: string[]): NonNullable<Server['found']> => ({
  title: 'Notes',
  version: '1',
  protocolVersion: '2025-11-25',
  instructions: '',
  capabilities,
  tools: [],
  resources: 1,
  prompts: 0,
})

const places = () =>
  [...mounted.container.querySelectorAll('nav a')].map((link) => [link.textContent, link.getAttribute('href')])
const button = (name: string) =>
  [...mounted.container.querySelectorAll('button')].find(({ textContent }) => textContent === name)
const click = async (name: string) => {
  await eventually(() => expect(button(name)).toBeDefined())
  button(name)?.scrollIntoView()
  // A button that signs in acts once it has been in the same place for half a second.
  await eventually(() => expect(button(name)?.ariaDisabled).not.toBe('true'))
  button(name)?.click()
}

test('a server shows its revision where that is known, and no empty line where it is not', async () => {
  await db.mcpServers.put({ ...server, found: found([]) })
  mounted = mountInTest(<ServerScreen serverId="s-1" />)
  const terms = () => [...mounted.container.querySelectorAll('dt')].map(({ textContent }) => textContent)
  await eventually(() => expect(terms()).toContain('Revision'))
  await db.mcpServers.put({ ...server, found: { ...found([]), protocolVersion: '' } })
  await eventually(() => expect(terms()).not.toContain('Revision'))
  expect(terms()).toContain('Offers')
})

test('a server leads to its tools, its resources, its prompts, its changes and its messages', async () => {
  await db.mcpServers.put(server)
  mounted = mountInTest(<ServerScreen serverId="s-1" />)
  await eventually(() =>
    expect(places()).toEqual([
      ['Try its tools', '#/tools/s-1'],
      ['Browse its resources', '#/servers/s-1/resources'],
      ['Browse its prompts', '#/servers/s-1/prompts'],
      ['Changes of its tools', '#/servers/s-1/changes'],
      ['Messages with it', '#/messages/s-1'],
    ]),
  )
})

test('a server that says it has no prompts leads to none, and one of custom tools to tools alone', async () => {
  await db.mcpServers.bulkPut([
    { ...server, found: found(['tools', 'resources']) },
    { ...server, id: 's-2', transport: 'custom', url: '' },
  ])
  mounted = mountInTest(<ServerScreen serverId="s-1" />)
  await eventually(() =>
    expect(places().map(([words]) => words)).toEqual([
      'Try its tools',
      'Browse its resources',
      'Changes of its tools',
      'Messages with it',
    ]),
  )
  mounted.render(<ServerScreen serverId="s-2" />)
  await eventually(() => expect(places().map(([words]) => words)).toEqual(['Try its tools', 'Messages with it']))
})

const failure = { code: 'server-unreachable', message: 'No answer from notes.example.' } as const
const diagnosis = {
  layer: 'cors-headers',
  sentence: 'It sends no CORS headers.',
  evidence: [],
  fixes: [{ type: 'relay' }, { type: 'address', url: 'https://notes.example/v2' }],
}

test('the page of a server that failed says why, finds the cause when asked, and takes the remedy into its form', async () => {
  await db.mcpServers.put(server)
  mounted = mountInTest(<ServerScreen serverId="s-1" />, { diagnoseServer: () => ({ diagnosis }) })
  mounted.setState({ servers: { 's-1': { state: 'error', failure } } })
  await eventually(() => expect(mounted.container.textContent).toContain('No answer from notes.example.'))
  await click('Try again')
  expect(mounted.asked).toContainEqual({ name: 'connectServer', input: { serverId: 's-1' } })
  await click('What is wrong?')
  await click('Use https://notes.example/v2')
  await eventually(() =>
    expect(mounted.container.querySelector<HTMLInputElement>('input[inputmode=url]')?.value).toBe(
      'https://notes.example/v2',
    ),
  )
  // Nothing is saved before somebody says so.
  expect(mounted.asked.map(({ name }) => name)).not.toContain('saveServer')
})

test('who signs in while the connection is being tested sees what was found signed in, not what was found before', async () => {
  const offer = {
    serverId: 's-1',
    url: 'https://who.example/auth?state=first',
    host: 'who.example',
    scopes: ['notes'],
    added: [],
    until: Date.now() + 600_000,
  }
  const reports: ((report: ServerReport) => void)[] = []
  const opened = { opener: null, closed: false, location: { replace: () => {} } } as unknown as Window
  const opens = vi.spyOn(window, 'open').mockReturnValue(opened)
  await db.mcpServers.put({ ...server, authentication: { type: 'auto' } })
  mounted = mountInTest(<ServerScreen serverId="s-1" />, {
    testServer: () => new Promise<ServerReport>((resolve) => reports.push(resolve)),
    finishSignIn: () => ({ serverId: 's-1' }),
  })
  await click('Test connection')
  // The connection that is there notices by itself, before the test has an end.
  mounted.setState({ servers: { 's-1': { state: 'error', failure, signIn: offer } } })
  await click('Sign in')
  reports[0]?.({ steps: [], failure, signIn: offer })
  await eventually(() => expect(button('Test connection')).toBeDefined())
  const answer = new BroadcastChannel(SIGN_IN_CHANNEL)
  answer.postMessage({ state: 'first', query: '?state=first&code=1' })
  await eventually(() => expect(reports).toHaveLength(2))
  reports[1]?.({ steps: [], found: found(['tools']) })
  await eventually(() => expect(mounted.container.textContent).toContain('What it offers'))
  expect(button('Sign in')).toBeUndefined()
  answer.close()
  opens.mockRestore()
})

test('a remedy in the list that cannot be saved is told', async () => {
  mounted = mountInTest(
    <Lines>
      <ServerLine server={server} onExport={() => {}} />
    </Lines>,
    {
      diagnoseServer: () => ({ diagnosis }),
      saveServer: () => Promise.reject(new Failed('storage', 'The disk is full.')),
    },
  )
  mounted.setState({ servers: { 's-1': { state: 'error', failure } } })
  await click('What is wrong?')
  await click("Use the companion's relay")
  await eventually(() => expect(mounted.container.textContent).toContain('The disk is full.'))
})

const fieldOf = (label: string) =>
  [...mounted.container.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.control as
    | HTMLInputElement
    | undefined

async function testAddress(wants: 'bearer' | 'basic') {
  mounted = mountInTest(<ServerScreen />, {
    testServer: () => ({
      steps: [],
      failure: { code: 'sign-in-needed', message: 'It requires authentication.', wants },
    }),
    diagnoseServer: () => ({ diagnosis: { ...diagnosis, fixes: [] } }),
  })
  const address = await eventually(() => {
    const found = mounted.container.querySelector('textarea')
    expect(found).not.toBeNull()
    return found as HTMLTextAreaElement
  })
  await userEvent.fill(address, 'https://notes.example/mcp')
  await click('Test connection')
}

test('after a 401 the token field is in sight, and what is typed there is saved as a token', async () => {
  await testAddress('bearer')
  const token = await eventually(() => {
    const found = fieldOf('Token')
    expect(found?.checkVisibility()).toBe(true)
    return found as HTMLInputElement
  })
  await userEvent.type(token, 'abc')
  // Typing must not move or replace the field.
  expect(document.activeElement).toBe(token)
  expect(token.value).toBe('abc')
  await click('Save')
  await eventually(() =>
    expect(mounted.asked.find(({ name }) => name === 'saveServer')?.input).toMatchObject({
      server: { authentication: { type: 'bearer' } },
      secrets: { token: 'abc' },
    }),
  )
})

test('a server that asks for Basic is offered a user name and a password', async () => {
  await testAddress('basic')
  await eventually(() => expect(fieldOf('User')?.checkVisibility()).toBe(true))
  await userEvent.type(fieldOf('Password') as HTMLInputElement, 'pw')
  await userEvent.type(fieldOf('User') as HTMLInputElement, 'ada')
  await click('Save')
  await eventually(() =>
    expect(mounted.asked.find(({ name }) => name === 'saveServer')?.input).toMatchObject({
      server: { authentication: { type: 'basic', user: 'ada' } },
      secrets: { password: 'pw' },
    }),
  )
})

test('a server that waits for a locked vault is not shown as failed', async () => {
  mounted = mountInTest(
    <Lines>
      <ServerLine server={{ ...server, authentication: { type: 'bearer' } }} onExport={() => {}} />
    </Lines>,
  )
  mounted.setState({
    servers: { 's-1': { state: 'error', failure: { code: 'vault-locked', message: 'The vault is locked.' } } },
  })
  await eventually(() => expect(mounted.container.textContent).toContain('vault locked'))
  expect(mounted.container.querySelector('a[href="#/settings/vault"]')?.textContent).toBe('Unlock the vault')
  expect(mounted.container.querySelector('[title="waiting for the vault to be unlocked"]')).not.toBeNull()
  expect(mounted.container.textContent).not.toContain('failed')
  expect(button('What is wrong?')).toBeUndefined()
})

test('servers of a pasted configuration that are in the list already are not ticked', async () => {
  await db.mcpServers.put(server)
  mounted = mountInTest(<ServerScreen />, { importServers: () => ({ results: [{}] }) })
  const field = await eventually(() => {
    const found = mounted.container.querySelector('textarea')
    return found ?? expect.fail('not drawn yet')
  })
  const mcpServers = { notes: { url: server.url }, other: { url: 'https://other.example/mcp' } }
  await userEvent.fill(field, JSON.stringify({ mcpServers }))
  const ticks = () =>
    [...mounted.container.querySelectorAll<HTMLInputElement>('input[type=checkbox]')].map(({ checked }) => checked)
  await eventually(() => expect(ticks()).toEqual([false, true]))
  expect(mounted.container.textContent).toContain('already in your list')
  await click('Add this server')
  await eventually(() =>
    expect(mounted.asked.find(({ name }) => name === 'importServers')?.input).toMatchObject({
      servers: [{ server: { url: 'https://other.example/mcp' } }],
    }),
  )
})
