// A tool may ask its user something. The same handler answers in both eras.
import { createMCPClient } from '@switchboard/mcp'

const client = await createMCPClient({
  transport: { type: 'http', url: process.argv[2] ?? 'http://localhost:4114/demo/mcp' },
  onElicitationRequest: async ({ params }) => {
    console.log(`The server asks: ${params.message}`)
    if (params.mode === 'url') return { action: 'decline' } // show params.url whole; open it only when the user says so
    return { action: 'accept', content: { name: 'Ada' } } // what is left out gets the schema's defaults
  },
})

console.log((await client.call('book_table', { restaurant: 'The Lighthouse' })).text)

await client.close()
