import { realConfigurations } from '@switchboard/testkit/real-configurations'
import { describe, expect, test } from 'vitest'
import { configurations } from './fixtures/configurations.ts'
import { type Pasted, type PastedEntry, readPasted } from './read-pasted.ts'

const entriesOf = (pasted: Pasted): PastedEntry[] => {
  if (pasted.kind !== 'servers') throw new Error(`It is ${JSON.stringify(pasted)}.`)
  return pasted.entries
}
const only = (text: string): PastedEntry => {
  const entries = entriesOf(readPasted(text))
  expect(entries).toHaveLength(1)
  return entries[0] as PastedEntry
}
const placeOf = ({ program, url }: PastedEntry): string =>
  program ? [program.command, ...program.args].join(' ') : url
/** Everything that is shown of what was understood. */
const wordsOf = ({ name, needs, taken, left, problem }: PastedEntry): string =>
  JSON.stringify([name, needs, taken, left, problem])

describe('files', () => {
  test.each(configurations)('$file is understood, and what was left out is said', (sample) => {
    const pasted = readPasted(sample.text)
    const entries = entriesOf(pasted)
    expect(pasted).toMatchObject({ format: expect.stringMatching(sample.format) })
    expect(entries.map((entry) => [entry.name, placeOf(entry)])).toEqual(sample.servers)
    const needs = entries.flatMap((entry) => entry.needs)
    for (const need of sample.needs ?? []) expect(needs).toContainEqual(expect.stringMatching(need))
    const left = entries.flatMap((entry) => entry.left)
    for (const sentence of sample.left ?? []) expect(left).toContainEqual(expect.stringMatching(sentence))
  })

  test.each(realConfigurations())('what the makers of $of tell to paste is understood to the last word', (real) => {
    const entries = entriesOf(readPasted(real.text))
    const understood = entries.map(({ name, program }) => [name, program])
    expect(Object.fromEntries(understood)).toEqual(
      Object.fromEntries(Object.entries(real.servers).map(([name, one]) => [name, { env: {}, ...one }])),
    )
    expect(entries.flatMap(({ left }) => left)).toEqual([])
  })

  test('what a server is said to be for is taken; what else is in the file, and what only a program could do, is said', () => {
    const file = {
      $schema: 'https://example.com/schema.json',
      mcpServers: {
        deals: {
          url: 'https://deals.example/mcp',
          description: ' Finds deals\u202e ',
          headersHelper: 'node headers.mjs',
        },
      },
      preferences: { sidebar: 'left' },
      ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`part${at}`, at])),
    }
    const pasted = readPasted(JSON.stringify(file))
    expect(pasted).toMatchObject({
      notes: [
        'Beside its servers the file holds preferences, part0, part1, part2, part3, part4, part5, part6, 2 more: left out.',
      ],
    })
    const [entry] = entriesOf(pasted)
    expect(entry?.description).toMatch(/^Finds deals/)
    expect(entry?.description).not.toContain('\u202e')
    expect(entry?.taken).toContain('Description')
    const long = only(JSON.stringify({ a: { url: 'https://a.example/mcp', description: `\u200b${'x'.repeat(600)}` } }))
    expect(long.description).toHaveLength(500)
    const odd = only(JSON.stringify({ a: { url: 'https://a.example/mcp', description: 7 } }))
    expect(odd.left).toEqual(['description: no words'])
    expect(entry?.left).toEqual([expect.stringMatching(/^headersHelper: .* enter what it gives as a header$/)])
  })

  test.each(configurations.filter(({ secrets }) => secrets))(
    'of $file no secret is in any sentence or name',
    (sample) => {
      for (const entry of entriesOf(readPasted(sample.text)))
        for (const secret of sample.secrets ?? []) expect(wordsOf(entry)).not.toContain(secret)
    },
  )

  test('a placeholder is told, and never taken for the value', () => {
    for (const { text } of configurations)
      for (const { secrets } of entriesOf(readPasted(text))) expect(JSON.stringify(secrets)).not.toMatch(/\$\{|<your/)
  })

  test('bearer, basic, API key, client and extra headers each find their place', () => {
    const all = configurations.flatMap(({ text }) => entriesOf(readPasted(text)))
    const of = (name: string) => all.find((entry) => entry.name === name)
    expect(of('weather')).toMatchObject({
      authentication: { type: 'bearer' },
      secrets: { token: 'canary-remote-token' },
    })
    expect(of('maps')).toMatchObject({
      authentication: { type: 'basic', user: 'ada' },
      secrets: { password: 'canary-gemini-pass' },
      timeoutSeconds: 15,
    })
    expect(of('shop')).toMatchObject({
      authentication: { type: 'api-key', header: 'x-api-key' },
      headerNames: ['x-region'],
      secrets: { headers: '{"x-region":"north"}' },
    })
    expect(of('shop')?.secrets).not.toHaveProperty('key')
    expect(of('board')).toMatchObject({
      authentication: { type: 'oauth2', clientId: 'cursor-client', scopes: 'read write' },
      secrets: { clientSecret: 'canary-client-secret' },
    })
    expect(of('search')).toMatchObject({ enabled: false, timeoutSeconds: 60 })
    expect(of('tickets')?.problem).toMatch(/address has \$\{TICKETS_URL/)
    expect(of('metrics')).toMatchObject({ headerNames: ['x-tenant'], authentication: { type: 'auto' } })
  })
})

describe('addresses', () => {
  test.each([
    ['https://mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ['  mcp.example.com/mcp\n', 'https://mcp.example.com/mcp'],
    ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['127.0.0.1:8931', 'http://127.0.0.1:8931'],
    ['ftp://nowhere', 'ftp://nowhere'],
  ])('%j is an address', (text, url) => expect(readPasted(text)).toEqual({ kind: 'address', url }))

  test('name and password leave the address', () => {
    const entry = only('https://ada:s%C3%A9same@tools.example/mcp#top')
    expect(entry).toMatchObject({
      url: 'https://tools.example/mcp',
      authentication: { type: 'basic', user: 'ada' },
      secrets: { password: 'sésame' },
    })
  })

  test('a key in the address is told', () => {
    const text = '{"mcpServers":{"find":{"url":"https://find.example/mcp?findApiKey=abc"}}}'
    expect(only(text).taken).toContainEqual(expect.stringMatching(/findApiKey.*not kept in the vault/))
  })

  test.each(['', '   \n', '\uFEFF'])('%j is nothing', (text) => expect(readPasted(text)).toEqual({ kind: 'nothing' }))
  test.each([
    'hello',
    'what is this?',
    'mailto:ada@example.com',
    '"only a text"',
    '{"a":1}',
    '[]',
    '{"mcpServers":{}}',
  ])('%j is not understood, and the next step is said', (text) =>
    expect(readPasted(text)).toMatchObject({ kind: 'unreadable', problem: expect.stringMatching(/\w+/) }),
  )
  test('half a file says that it is half', () =>
    expect(readPasted('{"mcpServers":{"a":{"url":"https://a.example/mcp"')).toMatchObject({
      problem: expect.stringMatching(/3 of its brackets are not closed/),
    }))
  test('a file that lacks one bracket says so of one', () =>
    expect(readPasted('{"mcpServers":{"a":{"url":"https://a.example/mcp"}}')).toMatchObject({
      problem: expect.stringMatching(/and one of its brackets is not closed/),
    }))
})

describe('commands', () => {
  test.each([
    ['npx -y @modelcontextprotocol/server-memory', 'memory', {}],
    [
      '$ FILE="/tmp/a b.json" TOKEN=abc npx -y @scope/mcp-server-notes@1.2.3 --verbose',
      'notes',
      { FILE: '/tmp/a b.json', TOKEN: 'abc' },
    ],
    ['uvx mcp-server-git --repository /srv/repo', 'git', {}],
    ['docker run -i --rm -e KEY ghcr.io/example/tracker-mcp:latest', 'tracker', {}],
    ['env A=1 node /srv/tools/index.js', 'index', { A: '1' }],
    ['"C:\\Program Files\\Tools\\server.exe" --stdio', 'server', {}],
  ])('%s is a program', (text, name, env) => {
    const entry = only(text)
    expect(entry).toMatchObject({ name, url: '', program: { env } })
    expect(entry.problem).toBeUndefined()
  })

  test('quotes, escapes and lines that go on are read as a shell does', () => {
    const entry = only(`npx -y tool 'a "b" c' "d \\"e\\" $HOME" f\\ g \\\n  --last`)
    expect(entry.program?.args).toEqual(['-y', 'tool', 'a "b" c', 'd "e" $HOME', 'f g', '--last'])
  })

  test('what a shell would do next is left out, and that is said', () => {
    const pasted = readPasted('npx -y tool && rm -rf /')
    expect(entriesOf(pasted)[0]?.program?.args).toEqual(['-y', 'tool'])
    expect(pasted).toMatchObject({ notes: [expect.stringContaining('&')] })
  })

  test('a quote that is not closed is told', () =>
    expect(readPasted('npx -y "tool')).toMatchObject({
      kind: 'unreadable',
      problem: expect.stringMatching(/not closed/),
    }))

  test.each([
    [
      'claude mcp add --transport http shop https://shop.example/mcp --header "Authorization: Bearer tok-1"',
      'https://shop.example/mcp',
      { token: 'tok-1' },
    ],
    ['claude mcp add shop -s user -e KEY=v -e B=2 -- npx -y shop-mcp --port 1', 'npx -y shop-mcp --port 1', {}],
    [
      `claude mcp add-json shop '{"type":"http","url":"https://shop.example/mcp","headers":{"X-Api-Key":"k-1"}}'`,
      'https://shop.example/mcp',
      { key: 'k-1' },
    ],
    [
      'gemini mcp add --transport http -H "X-API-Key: k-2" shop https://shop.example/mcp',
      'https://shop.example/mcp',
      { key: 'k-2' },
    ],
    ['codex mcp add shop --env KEY=v -- uvx shop-mcp', 'uvx shop-mcp', {}],
    ['codex mcp add shop --url https://shop.example/mcp', 'https://shop.example/mcp', {}],
    [`code --add-mcp '{"name":"shop","command":"npx","args":["-y","shop-mcp"]}'`, 'npx -y shop-mcp', {}],
  ])('%s adds a server', (text, place, secrets) => {
    const entry = only(text)
    expect(entry.name).toBe('shop')
    expect(placeOf(entry)).toBe(place)
    expect(entry.secrets).toEqual(secrets)
  })

  test('variables of a command that adds a server are those of its program', () =>
    expect(only('claude mcp add shop -e KEY=v B=2 -- npx shop-mcp').program?.env).toEqual({ KEY: 'v', B: '2' }))

  test.each([
    [
      `curl -X POST https://a.example/mcp -H 'Authorization: Bearer tok' -H 'Accept: text/event-stream' -d '{"a":1}'`,
      { type: 'bearer' },
      { token: 'tok' },
    ],
    ['curl -u ada:pass:word https://a.example/mcp', { type: 'basic', user: 'ada' }, { password: 'pass:word' }],
    [
      'curl --header="x-api-key: k" --url https://a.example/mcp',
      { type: 'api-key', header: 'x-api-key' },
      { key: 'k' },
    ],
    ['curl -sS -H"X-Tenant: t" https://a.example/mcp', { type: 'auto' }, { headers: '{"x-tenant":"t"}' }],
  ])('%s gives address and authentication', (text, authentication, secrets) =>
    expect(only(text)).toMatchObject({ url: 'https://a.example/mcp', authentication, secrets }),
  )

  test('of a curl, what is left out is said', () => {
    const { left } = only(`curl -k -X POST -H 'Accept: a' -H 'Mcp-Session-Id: b' --data x https://a.example/mcp`)
    expect(left).toEqual([
      expect.stringMatching(/^-k/),
      expect.stringMatching(/^Method POST/),
      expect.stringMatching(/body/),
      expect.stringMatching(/accept/),
      expect.stringMatching(/mcp-session-id/),
    ])
  })

  test.each([
    `vscode:mcp/install?${encodeURIComponent('{"name":"shop","url":"https://shop.example/mcp"}')}`,
    `https://insiders.vscode.dev/redirect/mcp/install?name=shop&config=${encodeURIComponent('{"type":"http","url":"https://shop.example/mcp"}')}`,
    `cursor://anysphere.cursor-deeplink/mcp/install?name=shop&config=${btoa('{"url":"https://shop.example/mcp"}')}`,
    `https://cursor.com/en/install-mcp?name=shop&config=${encodeURIComponent(btoa('{"url":"https://shop.example/mcp"}'))}`,
  ])('%s is a link that adds a server', (text) =>
    expect(only(text)).toMatchObject({ name: 'shop', url: 'https://shop.example/mcp' }),
  )
})

describe('hostile pastes', () => {
  const deep = (depth: number) => '{"mcpServers":'.repeat(depth) + '1' + '}'.repeat(depth)
  const hostile: [string, string][] = [
    ['ten megabytes', `{"mcpServers":{"a":{"url":"${'x'.repeat(10_000_000)}"}}}`],
    ['brackets in brackets', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
    ['objects in objects', deep(60_000)],
    ['comments without an end', '{' + '/*'.repeat(400_000)],
    ['slashes', '{' + '/'.repeat(900_000)],
    ['commas', `[${','.repeat(900_000)}]`],
    ['commas and space', `[${', '.repeat(400_000)}`],
    ['quotes', '"'.repeat(900_001)],
    ['escapes', `{"${'\\'.repeat(900_000)}`],
    ['lines', `npx ${'\n'.repeat(900_000)}x`],
    ['dots', 'a.'.repeat(400_000)],
    ['dollars', `{"mcpServers":{"a":{"url":"https://a.example/${'${'.repeat(100_000)}"}}}`],
    ['angles', `npx ${'<a '.repeat(15_000)}`],
    ['dashes', `${'a-'.repeat(400_000)}mc`],
    ['a fence', '`'.repeat(900_000)],
    ['control signs', '\u0000\u001b]0;x\u0007'.repeat(100_000)],
    ['variables', `${'A=1 '.repeat(12_000)}npx x`],
    [
      'many servers',
      JSON.stringify({
        mcpServers: Object.fromEntries(
          Array.from({ length: 9_000 }, (_, at) => [`s${at}`, { url: `https://${at}.example` }]),
        ),
      }),
    ],
    [
      'many headers',
      JSON.stringify({
        url: 'https://a.example',
        headers: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`x-${at}`, 'v'])),
      }),
    ],
  ]
  // A walk for each sign over all the others would take minutes, and the time of a test is up long before.
  test.each(hostile)('%s are read or refused in the time of a test, and nothing is thrown', (_name, text) => {
    const pasted = readPasted(text)
    expect(JSON.stringify(pasted).length).toBeLessThan(400_000)
    if (pasted.kind === 'servers') expect(pasted.entries.length).toBeLessThanOrEqual(100)
  })

  test('keys of prototypes are names like any other, and change nothing', () => {
    const pasted = readPasted(
      '{"mcpServers":{"__proto__":{"url":"https://a.example/mcp","headers":{"__proto__":"x","constructor":"y"}},"constructor":{"command":"npx","env":{"__proto__":"z"}}}}',
    )
    expect(entriesOf(pasted).map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['url']).toBeUndefined()
    expect(({} as Record<string, unknown>)['command']).toBeUndefined()
  })

  test('signs that nobody sees are shown in a name', () => {
    const [entry] = entriesOf(readPasted('{"mcpServers":{"a\\u202eb\\u0007":{"url":"https://a.example/mcp"}}}'))
    expect(entry?.name).toBe('a⟨U+202E⟩b⟨U+0007⟩')
  })

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'ws://a.example'])(
    'an address %s in a file is refused with the reason',
    (url) => expect(only(JSON.stringify({ mcpServers: { a: { url } } })).problem).toMatch(/only https/),
  )

  test('a header that would end its line is left out', () => {
    const entry = only(JSON.stringify({ url: 'https://a.example', headers: { 'x-a': 'b\r\nx-evil: 1', 'x b': 'c' } }))
    expect(entry.headerNames).toEqual([])
    expect(entry.left).toHaveLength(2)
  })
})
