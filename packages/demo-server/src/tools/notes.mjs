import { object, text } from '../schema.mjs'
import { noteUri } from '../world.mjs'

const NAME = { type: 'string', title: 'Name', minLength: 1, maxLength: 40 }

/**
 * A tool that writes, and one that destroys.
 * @param {import('@modelcontextprotocol/server').McpServer} server
 * @param {import('../world.mjs').World} world
 */
export function registerNotes(server, world) {
  server.registerTool(
    'write_note',
    {
      title: 'Write a note',
      description: 'Writes a note, which is a resource: whoever watches it is told.',
      inputSchema: object({
        name: { ...NAME, default: 'ideas' },
        text: { type: 'string', title: 'Text', maxLength: 10_000, default: 'Paint the fence.' },
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (given) => {
      world.writeNote(given.name, given.text)
      return {
        content: [
          { type: 'text', text: `Wrote ${given.text.length} characters.` },
          { type: 'resource_link', uri: noteUri(given.name), name: given.name, mimeType: 'text/plain' },
        ],
      }
    },
  )
  server.registerTool(
    'delete_note',
    {
      title: 'Delete a note',
      description: 'Deletes a note for ever.',
      inputSchema: object({ name: { ...NAME, default: 'travel' } }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ name }) =>
      world.deleteNote(name)
        ? text(`Deleted "${name}".`)
        : {
            ...text(`There is no note called "${name}". There are: ${[...world.notes.keys()].join(', ')}`),
            isError: true,
          },
  )
}
