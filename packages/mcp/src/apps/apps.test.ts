import * as peer from '@ai-sdk/mcp'
import {
  type ListToolsResult,
  MCP_APP_MIME_TYPE,
  mcpAppClientCapabilities,
  readMCPAppResource,
  readMCPAppToolMeta,
  splitMCPAppTools,
  type Tool,
} from '@switchboard/mcp'
import { describe, expect, it } from 'vitest'

const tool = (name: string, _meta?: Tool['_meta']): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...(_meta && { _meta }),
})
const namesOf = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name)

describe('tools of MCP Apps', () => {
  it('[M1] the names of the extension are those of @ai-sdk/mcp', () => {
    expect(MCP_APP_MIME_TYPE).toBe(peer.MCP_APP_MIME_TYPE)
    expect(mcpAppClientCapabilities).toEqual(peer.mcpAppClientCapabilities)
  })

  const honest: ListToolsResult = {
    nextCursor: 'more',
    tools: [
      tool('plain'),
      tool('with other meta', { vendor: 1 }),
      tool('page only', { ui: { resourceUri: 'ui://a/b' } }),
      tool('app', { ui: { resourceUri: 'ui://a/b', visibility: ['app'] } }),
      tool('model', { ui: { visibility: ['model'] } }),
      tool('both', { ui: { visibility: ['model', 'app'] } }),
      tool('nobody', { ui: { visibility: [] } }),
      tool('unknown', { ui: { visibility: ['robot'] } }),
      tool('as text', { ui: { visibility: 'app' } }),
      tool('old place', { 'ui/resourceUri': 'ui://old' }),
      tool('no object', { ui: 'app' }),
    ],
  }

  it('[M2] tools of the model and of the app are told apart as @ai-sdk/mcp does', () => {
    const { modelVisible, appVisible, refused } = splitMCPAppTools(honest)
    expect({ modelVisible, appVisible }).toEqual(peer.splitMCPAppTools(honest as never))
    expect(namesOf(appVisible)).toEqual(['app', 'both', 'as text'])
    expect(refused).toEqual([])
  })

  it('[M3] a tool that says nonsense of its app is left out with the reason, and the others stay', () => {
    const bad = [
      tool('https', { ui: { resourceUri: 'https://evil.example/\n\u202Epage' } }),
      tool('number', { ui: { resourceUri: 7 } }),
      tool('who', { ui: { visibility: { app: true } } }),
      null as unknown as Tool,
    ]
    const { modelVisible, appVisible, refused } = splitMCPAppTools({ tools: [tool('good'), ...bad] })
    expect(namesOf(modelVisible)).toEqual(['good'])
    expect(namesOf(appVisible)).toEqual([])
    expect(refused.map(({ name }) => name)).toEqual(['https', 'number', 'who'])
    expect(refused[0]?.reason).toBe('Invalid MCP App resource URI: "https://evil.example/\\n page"')
    expect(refused[2]?.reason).toContain('visibility')
  })

  it('[M2] what a tool says of its app is read, from the old place too', () => {
    expect(readMCPAppToolMeta(tool('t', { ui: { resourceUri: 'ui://x', visibility: ['app', 1], more: 2 } }))).toEqual({
      resourceUri: 'ui://x',
      visibility: ['app'],
      more: 2,
    })
    expect(readMCPAppToolMeta(tool('t', { 'ui/resourceUri': 'ui://x' }))).toEqual({ resourceUri: 'ui://x' })
    expect(readMCPAppToolMeta(tool('t', { other: 1 }))).toBeUndefined()
    expect(readMCPAppToolMeta(tool('t'))).toBeUndefined()
  })
})

describe('the page of an MCP App', () => {
  const uri = 'ui://shop/page'
  const reader = (...contents: object[]) => ({ readResource: async () => ({ contents }) as never })
  const page = (more: object) => ({ uri, mimeType: MCP_APP_MIME_TYPE, ...more })
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  const pages: [string, object][] = [
    ['text', { text: '<p>é</p>' }],
    ['bytes', { blob: base64('<p>é</p>') }],
    ['no wishes', { text: '', _meta: { ui: {} } }],
    [
      'wishes',
      {
        text: '<p>',
        _meta: {
          ui: {
            prefersBorder: true,
            csp: {
              connectDomains: ['https://api.example', 5],
              resourceDomains: [],
              baseUriDomains: ['https://a.example', 5],
              more: 1,
            },
            permissions: { camera: {} },
            domain: 'a.example',
          },
        },
      },
    ],
    [
      'wishes of the wrong kind',
      { text: '<p>', _meta: { ui: { prefersBorder: 'yes', csp: { frameDomains: 'all' }, permissions: ['camera'] } } },
    ],
    ['policy of the wrong kind', { text: '<p>', _meta: { ui: { csp: 'none' } } }],
  ]
  it.each(pages)('[M4] it is read as @ai-sdk/mcp reads it: %s', async (_, more) => {
    const client = reader({ uri: 'ui://other', text: 'x' }, page(more))
    const ours = await readMCPAppResource({ client, uri })
    const theirs = await peer.readMCPAppResource({ client, uri })
    expect(JSON.parse(JSON.stringify(ours))).toEqual(JSON.parse(JSON.stringify(theirs)))
  })

  const refusals: [string, object[], string][] = [
    ['another page', [{ ...page({ text: '' }), uri: 'ui://shop/other' }], `not found in read result: ${uri}`],
    ['nothing', [], `not found in read result: ${uri}`],
    ['a plain page', [{ uri, mimeType: 'text/html', text: '' }], 'Unsupported MCP App resource MIME type: text/html'],
    ['no content', [page({})], `Unsupported MCP App resource content format: ${uri}`],
  ]
  it.each(refusals)('[M5] %s is refused in the words of @ai-sdk/mcp', async (_, contents, words) => {
    const client = reader(...contents)
    await expect(readMCPAppResource({ client, uri })).rejects.toThrow(words)
    await expect(peer.readMCPAppResource({ client, uri })).rejects.toThrow(words)
  })

  it('[M5] bytes that are no base64 are refused', async () => {
    await expect(readMCPAppResource({ client: reader(page({ blob: '%%%' })), uri })).rejects.toThrow('content format')
  })

  it('[M5] an address that is none of an app is not read at all', async () => {
    const client = { readResource: () => Promise.reject(new Error('was read')) }
    const given = { client, uri: 'file:///etc/passwd' }
    await expect(readMCPAppResource(given)).rejects.toThrow('Unsupported MCP App resource URI: file:///etc/passwd')
  })

  it('[M6] a source that would break out of a policy is left out', async () => {
    const connectDomains = [
      'https://good.example',
      'https://x; script-src *',
      "'unsafe-eval'",
      'a b',
      'a,b',
      'wss://*.b:9',
    ]
    const client = reader(page({ text: '', _meta: { ui: { csp: { connectDomains, baseUriDomains: ["'self'"] } } } }))
    expect((await readMCPAppResource({ client, uri })).meta?.csp).toEqual({
      connectDomains: ['https://good.example', 'wss://*.b:9'],
      baseUriDomains: [],
    })
  })

  it('[M4] the options of the caller reach the client', async () => {
    const { signal } = new AbortController()
    let seen: unknown
    const client = {
      readResource: (given: object) => {
        seen = given
        return Promise.resolve({ contents: [page({ text: '' })] })
      },
    }
    await readMCPAppResource({ client, uri, options: { signal } })
    expect(seen).toEqual({ uri, options: { signal } })
  })
})
