import { object } from '../schema.mjs'

export const CITIES = ['Lima', 'Lisbon', 'London', 'Nairobi', 'Oslo', 'Tokyo']
const SKIES = ['sun', 'some clouds', 'clouds', 'rain', 'wind', 'fog']

/** The same city has the same weather all day. @param {string} seed */
function invent(seed) {
  let hash = 7
  for (const character of seed) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return hash
}

/** Structured output. @param {import('@modelcontextprotocol/server').McpServer} server */
export function registerForecast(server) {
  server.registerTool(
    'forecast',
    {
      title: 'Forecast',
      description: 'Invents the weather of the next days, as structured data.',
      inputSchema: object(
        {
          city: { type: 'string', title: 'City', enum: CITIES, default: 'Lisbon' },
          days: { type: 'integer', title: 'Days', minimum: 1, maximum: 7, default: 3 },
        },
        ['city'],
      ),
      outputSchema: object({
        city: { type: 'string' },
        unit: { type: 'string' },
        days: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              date: { type: 'string' },
              sky: { type: 'string' },
              high: { type: 'number' },
              low: { type: 'number' },
            },
            required: ['date', 'sky', 'high', 'low'],
          },
        },
      }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ city, days = 3 }) => {
      const forecast = Array.from({ length: days }, (_, day) => {
        const date = new Date(Date.now() + day * 86_400_000).toISOString().slice(0, 10)
        const random = invent(city + date)
        const high = 8 + (random % 20)
        return { date, sky: SKIES[(random >>> 8) % SKIES.length] ?? 'sun', high, low: high - 4 - ((random >>> 16) % 6) }
      })
      const structuredContent = { city, unit: '°C', days: forecast }
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
    },
  )
}
