// Long work: start it, watch it, leave, and come back to it with what was saved.
import { createMCPClient } from '@switchboard/mcp'

const config = {
  transport: { type: 'http', url: process.argv[2] ?? 'http://localhost:4114/demo/mcp' },
  onElicitationRequest: ({ params }, { task }) => {
    console.log(`${task?.name} asks: ${params.message}`)
    return { action: 'accept', content: { crust: 'dark' } }
  },
}

const client = await createMCPClient(config)
const task = await client.startTask({
  name: 'bake_bread',
  arguments: { millisecondsPerStep: 200 },
  onUpdate: ({ status, statusMessage }) => console.log(`${status}: ${statusMessage}`),
})
const saved = JSON.stringify(task.save()) // whoever has it can read and end the task: keep it as a secret
await client.close() // cancels nothing: the server bakes on

// Another page, another day.
const { session } = JSON.parse(saved) // where there are sessions, the task lives in one
const later = await createMCPClient({ ...config, session })
const again = await later.resumeTask(JSON.parse(saved))
console.log(again.status)
const { content } = await again.result()
console.log(content[0].text)
await later.close()
