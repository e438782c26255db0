import { element } from './element.js'

/**
 * Lets the server propose what an input could say.
 * @param {import('@switchboard/mcp').MCPClient} client
 * @param {import('@switchboard/mcp').CompleteParams['ref']} ref
 * @param {HTMLInputElement} input
 */
export function completeInput(client, ref, input) {
  if (!client.capabilities.completions) return
  const list = element('datalist', { id: `list-${crypto.randomUUID()}` })
  input.setAttribute('list', list.id)
  input.after(list)
  let latest = 0
  const propose = async () => {
    const own = ++latest
    try {
      const { completion } = await client.complete({ ref, argument: { name: input.name, value: input.value } })
      // An answer that was overtaken would propose what fits an older text.
      if (own === latest) list.replaceChildren(...completion.values.map((value) => element('option', { value })))
    } catch {
      // Proposals are a courtesy: without them one types.
    }
  }
  input.addEventListener('focus', () => void propose())
  input.addEventListener('input', () => void propose())
}
