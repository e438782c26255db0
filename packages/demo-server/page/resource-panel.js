import { completeInput } from './complete-input.js'
import { element } from './element.js'
import { panel } from './panel.js'
import { resourceView } from './result-view.js'
import { schemaForm } from './schema-form.js'

/**
 * A resource, or a template of them: read it, watch it.
 * @param {import('@switchboard/mcp').MCPClient} client
 * @param {import('@switchboard/mcp').Resource | import('@switchboard/mcp').ResourceTemplate} resource
 */
export function resourcePanel(client, resource) {
  const template = 'uriTemplate' in resource ? resource.uriTemplate : undefined
  const names = [...(template ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const form = schemaForm({
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  })
  if (template !== undefined) {
    for (const input of form.node.querySelectorAll('input'))
      completeInput(client, { type: 'ref/resource', uri: template }, input)
  }
  const watch = element('button', { type: 'button', 'aria-pressed': 'false', onclick: () => void toggle() }, 'Watch')
  watch.hidden = template !== undefined || !client.capabilities.resources?.subscribe
  const frame = panel(
    {
      title: resource.title ?? resource.name,
      name: 'uri' in resource ? resource.uri : resource.uriTemplate,
      description: resource.description,
      body: form.node,
      actions: [element('button', { class: 'primary' }, 'Read'), watch],
    },
    () => void read(),
  )

  function uri() {
    if ('uri' in resource) return resource.uri
    const values = form.read()
    return resource.uriTemplate.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name] ?? '')))
  }

  async function read() {
    try {
      const { contents } = await client.readResource({ uri: uri() })
      const when = element('small', {}, `Read at ${new Date().toLocaleTimeString()}`)
      frame.show(element('div', { class: 'notice', role: 'status' }, when, ...contents.map(resourceView)))
    } catch (error) {
      frame.fail(error, () => void read())
    }
  }

  /** @type {import('@switchboard/mcp').Subscription | undefined} */
  let subscription
  async function toggle() {
    watch.disabled = true
    try {
      if (subscription) {
        await subscription.close()
        subscription = undefined
      } else {
        subscription = await client.subscribe(uri(), () => void read())
        await read()
      }
    } catch (error) {
      frame.fail(error)
    }
    watch.setAttribute('aria-pressed', String(subscription !== undefined))
    watch.textContent = subscription ? 'Watching' : 'Watch'
    watch.disabled = false
  }
  return frame.node
}
