import { ResourceTemplate } from '@modelcontextprotocol/server'
import { CLOCK_URI, NOTE_TEMPLATE, noteUri } from './world.mjs'

const ABOUT = `# Switchboard demo

This server exists to be tried. Its weather is invented, its restaurant does not exist, and its notes
are forgotten when it ends.

Watch the clock, or watch a note and then write it: the server tells you each time it changes.
`

/**
 * Fixed resources, a template for the notes, and a clock that moves.
 * @param {import('@modelcontextprotocol/server').McpServer} server
 * @param {import('./world.mjs').World} world
 * @param {Set<string>} watched
 */
export function registerResources(server, world, watched) {
  server.registerResource(
    'about',
    'demo://about',
    { title: 'About this server', mimeType: 'text/markdown' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text: ABOUT }] }),
  )
  server.registerResource(
    'clock',
    CLOCK_URI,
    { title: 'A clock', description: 'Changes every five seconds: watch it', mimeType: 'text/plain' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: new Date().toISOString() }] }),
  )
  server.registerResource(
    'note',
    new ResourceTemplate(NOTE_TEMPLATE, {
      list: () => ({
        resources: [...world.notes.keys()].map((name) => ({
          uri: noteUri(name),
          name,
          title: `Note: ${name}`,
          mimeType: 'text/plain',
        })),
      }),
      complete: { name: (value) => [...world.notes.keys()].filter((name) => name.startsWith(value)) },
    }),
    { title: 'A note by its name', mimeType: 'text/plain' },
    (uri, { name }) => {
      const note = world.notes.get(decodeURIComponent(String(name)))
      if (note === undefined) throw new Error(`There is no note ${uri.href}`)
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: note }] }
    },
  )
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    watched.add(params.uri)
    return {}
  })
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    watched.delete(params.uri)
    return {}
  })
}
