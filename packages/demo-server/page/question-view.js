import { element } from './element.js'
import { schemaForm } from './schema-form.js'
import { visibleText } from './visible-text.js'

/**
 * Shows a question of the server and resolves with the user's answer: submit, decline and cancel are three answers.
 * @param {HTMLElement} place
 * @param {string} serverName
 * @param {import('@switchboard/mcp').ElicitationRequest} request
 * @param {AbortSignal} signal aborted when the server takes its question back
 * @returns {Promise<import('@switchboard/mcp').ElicitResult>}
 */
export function askUser(place, serverName, { params }, signal) {
  return new Promise((resolve) => {
    const asksUrl = params.mode === 'url'
    const form = asksUrl ? undefined : schemaForm(params.requestedSchema)
    const problem = element('p', { class: 'problem', role: 'alert' })
    /** @param {import('@switchboard/mcp').ElicitResult} answer */
    const leave = (answer) => {
      node.remove()
      resolve(answer)
    }
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault()
      if (!form) return leave({ action: 'accept' })
      try {
        leave({ action: 'accept', content: form.read() })
      } catch (error) {
        problem.textContent = error instanceof Error ? error.message : String(error)
      }
    }
    const node = element(
      'form',
      { class: 'notice question', onsubmit: submit },
      element('h3', {}, `${visibleText(serverName)} asks`),
      element('p', {}, visibleText(params.message)),
      form ? form.node : urlView(String(params.url ?? '')),
      problem,
      element(
        'div',
        { class: 'actions' },
        element('button', { class: 'primary' }, asksUrl ? "I've done it" : 'Submit'),
        element('button', { type: 'button', onclick: () => leave({ action: 'decline' }) }, 'Decline'),
        element('button', { type: 'button', class: 'quiet', onclick: () => leave({ action: 'cancel' }) }, 'Cancel'),
      ),
    )
    signal.addEventListener('abort', () => leave({ action: 'cancel' }), { once: true })
    place.append(node)
    const first = node.querySelector('input, select, textarea, a')
    if (first instanceof HTMLElement) first.focus()
    node.scrollIntoView({ block: 'nearest' })
  })
}

/** The whole address, its host in bold; it opens only when the user says so. @param {string} address */
function urlView(address) {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    return element('p', { class: 'problem' }, `This is no address that a browser should open: ${visibleText(address)}`)
  }
  const plain = url.protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  return element(
    'div',
    {},
    element(
      'p',
      { class: 'address' },
      `${url.protocol}//`,
      element('strong', {}, url.host),
      visibleText(url.pathname + url.search + url.hash),
    ),
    plain && element('p', { class: 'problem' }, 'Not https: others on the way can read and change this page.'),
    element('a', { class: 'button', href: url.href, target: '_blank', rel: 'noopener noreferrer' }, `Open ${url.host}`),
  )
}
