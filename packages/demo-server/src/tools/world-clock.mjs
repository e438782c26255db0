import { object, text } from '../schema.mjs'

/** Plain text. @param {import('@modelcontextprotocol/server').McpServer} server */
export function registerWorldClock(server) {
  server.registerTool(
    'world_clock',
    {
      title: 'World clock',
      description: 'Tells what time it is in a time zone.',
      inputSchema: object({
        timeZone: {
          type: 'string',
          title: 'Time zone',
          description: 'A name such as Asia/Tokyo',
          default: 'Europe/Lisbon',
        },
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ timeZone }) => {
      try {
        const time = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' })
        return text(`In ${timeZone} it is ${time.format(new Date())}.`)
      } catch {
        return { ...text(`There is no time zone called "${timeZone}". Try Asia/Tokyo or America/Lima.`), isError: true }
      }
    },
  )
}
