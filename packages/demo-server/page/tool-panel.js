import { badgesView } from './badges-view.js'
import { element } from './element.js'
import { panel } from './panel.js'
import { resultView } from './result-view.js'
import { argumentsForm } from './schema-form.js'
import { durationInWords, visibleText } from './visible-text.js'

/** A tool may ask its user something, and people take longer than servers. */
const TIMEOUT_MS = 300_000

/**
 * A tool to try by hand: its form, its progress, its result.
 * @param {import('@switchboard/mcp').MCPClient} client
 * @param {import('@switchboard/mcp').Tool} tool
 */
export function toolPanel(client, tool) {
  const form = argumentsForm(tool.inputSchema)
  const call = element('button', { class: 'primary' }, 'Call')
  const body = form.empty ? element('p', { class: 'empty' }, 'It takes no arguments.') : form.node
  const frame = panel(
    {
      title: tool.title ?? tool.annotations?.title ?? tool.name,
      name: tool.name,
      description: tool.description,
      head: badgesView(tool.annotations),
      body,
      actions: form.empty ? [call] : [call, form.toggle],
    },
    () => void run(),
  )

  async function run() {
    /** @type {Record<string, unknown>} */
    let given
    try {
      given = form.read()
    } catch (error) {
      return frame.fail(error)
    }
    const abort = new AbortController()
    const bar = element('progress', { 'aria-label': 'Progress' })
    const message = element('span', {}, 'Running')
    const clock = element('small', {}, '')
    const cancel = element('button', { type: 'button', onclick: () => abort.abort() }, 'Cancel')
    frame.show(element('div', { class: 'notice running' }, bar, element('p', {}, message, clock), cancel))
    call.disabled = true
    const began = performance.now()
    const ticking = setInterval(() => (clock.textContent = ` ${durationInWords(performance.now() - began)}`), 100)
    /** @param {import('@switchboard/mcp').Progress} progress */
    const onProgress = ({ progress, total, message: words }) => {
      if (total !== undefined && total > 0) {
        bar.max = total
        bar.value = Math.min(progress, total)
      }
      message.textContent = visibleText(words ?? (total === undefined ? `${progress}` : `${progress} of ${total}`))
    }
    try {
      const options = { signal: abort.signal, timeout: TIMEOUT_MS, onProgress }
      const result = await client.callTool({ name: tool.name, arguments: given, options })
      frame.show(resultView(result, performance.now() - began))
    } catch (error) {
      frame.fail(error, () => void run())
    } finally {
      clearInterval(ticking)
      call.disabled = false
    }
  }
  return frame.node
}
