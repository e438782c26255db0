import type { Exchange, FaultServer, Fields } from '@switchboard/testkit/fault-server'

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const BYTES = Uint8Array.of(0, 1, 2, 250, 251)

const CITIES = ['Lisbon', 'Lima', 'Oslo']

const contents: { [uri: string]: Fields } = {
  'x://readme': { mimeType: 'text/markdown', text: '# A heading\n\nSome **strong** words.' },
  'x://data': { mimeType: 'application/json', text: '{"rain":3}' },
  'x://page': { mimeType: 'text/html', text: '<h1 id="drawn">Hi</h1><img src=x onerror=alert(1)>' },
  'x://picture': { mimeType: 'text/html', blob: PNG },
  'x://a/..%2F..%2Fetc%2Fpasswd': { mimeType: 'application/octet-stream', blob: Buffer.from(BYTES).toString('base64') },
}

const named = (uri: string, title: string, mimeType: string) => ({ uri, name: title.toLowerCase(), title, mimeType })

export interface OfferServer {
  /** What `x://note` says. */
  note: string
  extra: Fields[]
}

/** Gives a server resources of every kind, a template and prompts. */
export function offerEverything(server: FaultServer): OfferServer {
  const offered: OfferServer = { note: 'The first words.', extra: [] }
  const before = server.onRequest
  const answers: { [method: string]: (exchange: Exchange) => Fields | undefined } = {
    'resources/list': () => ({
      resources: [
        { ...named('x://readme', 'Readme', 'text/markdown'), size: 38, description: 'What this is about' },
        named('x://data', 'Data', 'application/json'),
        named('x://page', 'Page', 'text/html'),
        named('x://picture', 'Picture', 'image/png'),
        named('x://a/..%2F..%2Fetc%2Fpasswd', 'Archive', 'application/octet-stream'),
        named('x://note', 'Note', 'text/plain'),
        named('javascript:alert(1)', 'Trap', 'text/plain'),
        ...offered.extra,
      ],
    }),
    'resources/templates/list': () => ({
      resourceTemplates: [{ uriTemplate: 'weather://{city}', name: 'weather', title: 'Weather of a city' }],
    }),
    'resources/read': ({ params }) => {
      const uri = String(params['uri'])
      const city = /^weather:\/\/(.+)$/.exec(uri)?.[1]
      const found = uri === 'x://note' ? { text: offered.note } : city ? { text: `Rain in ${city}.` } : contents[uri]
      return found && { contents: [{ uri, ...found }] }
    },
    'prompts/list': () => ({
      prompts: [
        {
          name: 'plan_day',
          title: 'Plan a day',
          description: 'A plan that fits the weather',
          arguments: [{ name: 'city', description: 'Where', required: true }],
        },
        { name: 'greet', title: 'Greet' },
      ],
    }),
    'prompts/get': ({ params }) => {
      const { city } = (params['arguments'] ?? {}) as { city?: string }
      if (params['name'] === 'greet')
        return { messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }] }
      return {
        messages: [
          { role: 'user', content: { type: 'text', text: `Plan a day in ${city}.` } },
          { role: 'assistant', content: { type: 'text', text: 'With pleasure.' } },
          { role: 'user', content: { type: 'resource', resource: { uri: 'x://guide', text: `A guide to ${city}.` } } },
        ],
      }
    },
    'completion/complete': ({ params }) => {
      const { value } = params['argument'] as { value: string }
      return { completion: { values: CITIES.filter((city) => city.toLowerCase().startsWith(value.toLowerCase())) } }
    },
  }
  server.onRequest = async (exchange) => {
    const made = answers[exchange.method ?? '']?.(exchange)
    const isStateless = Object.keys(exchange.meta).some((key) => key.endsWith('/protocolVersion'))
    if (made) exchange.json(exchange.reply({ ...(isStateless && { resultType: 'complete', ttlMs: 0 }), ...made }))
    else await before?.(exchange)
  }
  return offered
}
