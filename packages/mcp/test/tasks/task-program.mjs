// A program that starts a task, or goes on with one that was saved, and prints what it knows, line by line.
// node task-program.mjs <folder of the library> { url, start: { name, arguments } | resume: saved, answer, answers: how many }
const [, , folder, order] = process.argv
const { url, start, resume, answer, answers = Infinity } = JSON.parse(order)
const { createMCPClient } = await import(new URL('index.js', `file://${folder}/`).href)

const print = (what, value) => process.stdout.write(`${JSON.stringify({ what, value })}\n`)
let asked = 0
const client = await createMCPClient({
  transport: { type: 'http', url },
  session: resume?.session,
  onElicitationRequest: ({ params }) => {
    print('question', params.message)
    // Without an answer, somebody thinks for ever.
    return answer && asked++ < answers ? { action: 'accept', content: answer } : new Promise(() => {})
  },
})
const onUpdate = (task) => print('saved', task.save())
const task = await (start ? client.startTask({ ...start, onUpdate }) : client.resumeTask(resume))
print('status', task.status)
print('result', await task.result())
await client.close()
