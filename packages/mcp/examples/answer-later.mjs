// A question may be answered much later, in another page or process: a call without sessions waits for as long as it takes.
import { createMCPClient } from '@switchboard/mcp'

const transport = { type: 'http', url: process.argv[2] ?? 'http://localhost:4114/demo/mcp' }
const capabilities = { elicitation: {} } // somebody answers forms, though not at once
const args = { restaurant: 'The Lighthouse' }

let kept = ''
const keep = (round) => {
  kept = JSON.stringify(round) // holds the server's own state: keep it as you keep a password
  throw new Error('The server asks first')
}

const first = await createMCPClient({ transport, capabilities })
await first.call('book_table', args, { rounds: { onInputRequired: keep } }).catch(({ message }) => console.log(message))
await first.close()

const { inputRequests, requestState } = JSON.parse(kept)
console.log(inputRequests.booking.params.message)
const booking = { action: 'accept', content: { name: 'Ada', guests: 2, time: '19:30' } }

const second = await createMCPClient({ transport, capabilities })
const rounds = { onInputRequired: keep, answers: { inputResponses: { booking }, requestState } }
console.log((await second.call('book_table', args, { rounds })).text)

await second.close()
