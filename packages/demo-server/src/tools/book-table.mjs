import { inputRequired, inputResponse } from '@modelcontextprotocol/server'
import { object, text } from '../schema.mjs'

/** Asks the user with a form. @param {import('@modelcontextprotocol/server').McpServer} server */
export function registerBookTable(server) {
  server.registerTool(
    'book_table',
    {
      title: 'Book a table',
      description: 'Asks who comes and when, with a form, before it pretends to book.',
      inputSchema: object({ restaurant: { type: 'string', title: 'Restaurant', default: 'The Lighthouse' } }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    ({ restaurant }, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'booking')
      if (answer.kind !== 'elicit') {
        return inputRequired({
          inputRequests: {
            booking: inputRequired.elicit({
              message: `When do you want to eat at ${restaurant}?`,
              requestedSchema: {
                type: 'object',
                properties: {
                  name: { type: 'string', title: 'Name', minLength: 1, maxLength: 60 },
                  guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 12, default: 2 },
                  time: { type: 'string', title: 'Time', enum: ['18:00', '19:30', '21:00'], default: '19:30' },
                  outside: { type: 'boolean', title: 'Outside', default: true },
                  note: { type: 'string', title: 'Anything else', description: 'May stay empty' },
                },
                required: ['name', 'guests', 'time'],
              },
            }),
          },
        })
      }
      if (answer.action !== 'accept') return text(`No table was booked: you chose "${answer.action}".`)
      const { name, guests, time, outside, note } = answer.content ?? {}
      const where = outside ? 'outside' : 'inside'
      return text(`Booked at ${restaurant}: ${name}, ${guests} at ${time}, ${where}.${note ? ` Noted: ${note}` : ''}`)
    },
  )
}
