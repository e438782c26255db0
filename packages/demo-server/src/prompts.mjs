import { object } from './schema.mjs'
import { CITIES } from './tools/forecast.mjs'
import { noteUri } from './world.mjs'

/**
 * Prompts whose arguments can be completed.
 * @param {import('@modelcontextprotocol/server').McpServer} server
 * @param {import('./world.mjs').World} world
 */
export function registerPrompts(server, world) {
  server.registerPrompt(
    'plan_day',
    {
      title: 'Plan a day',
      description: 'Asks for a plan that fits the weather.',
      argsSchema: object({ city: { type: 'string', description: 'Where' } }),
    },
    ({ city }) => ({
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: `Plan a day in ${city}. Look at the forecast first, and keep it short.` },
        },
      ],
    }),
  )
  server.registerPrompt(
    'summarise_note',
    {
      title: 'Summarise a note',
      description: 'Brings a note along and asks for its essence.',
      argsSchema: object({ name: { type: 'string', description: 'The name of the note' } }),
    },
    ({ name }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: noteUri(name), text: world.notes.get(name) ?? 'There is no such note.' },
          },
        },
        { role: 'user', content: { type: 'text', text: 'Summarise this note in one sentence.' } },
      ],
    }),
  )
  server.server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const candidates = ref.type === 'ref/prompt' && ref.name === 'plan_day' ? CITIES : [...world.notes.keys()]
    const wanted = argument.value.toLowerCase()
    const values = candidates.filter((candidate) => candidate.toLowerCase().startsWith(wanted))
    return { completion: { values, total: values.length, hasMore: false } }
  })
}
