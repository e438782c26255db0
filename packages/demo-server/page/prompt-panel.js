import { completeInput } from './complete-input.js'
import { element } from './element.js'
import { panel } from './panel.js'
import { promptView } from './result-view.js'
import { schemaForm } from './schema-form.js'

/**
 * A prompt: its arguments, with proposals of the server, and the messages it makes.
 * @param {import('@switchboard/mcp').MCPClient} client
 * @param {import('@switchboard/mcp').Prompt} prompt
 */
export function promptPanel(client, prompt) {
  const given = prompt.arguments ?? []
  const form = schemaForm({
    properties: Object.fromEntries(
      given.map(({ name, title, description }) => [name, { type: 'string', title: title ?? name, description }]),
    ),
    required: given.filter(({ required }) => required).map(({ name }) => name),
  })
  for (const input of form.node.querySelectorAll('input')) {
    completeInput(client, { type: 'ref/prompt', name: prompt.name }, input)
  }
  const frame = panel(
    {
      title: prompt.title ?? prompt.name,
      name: prompt.name,
      description: prompt.description,
      body: form.node,
      actions: [element('button', { class: 'primary' }, 'Get')],
    },
    () => void get(),
  )
  async function get() {
    try {
      frame.show(promptView(await client.getPrompt({ name: prompt.name, arguments: form.read() })))
    } catch (error) {
      frame.fail(error, () => void get())
    }
  }
  return frame.node
}
