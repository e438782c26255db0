import { element } from './element.js'
import { failureView } from './failure-view.js'
import { visibleText } from './visible-text.js'

/**
 * The frame that tools, resources and prompts share: a head, a form, and a place for what comes of it.
 * @param {{ title: string, name: string, description: string | undefined, head?: Node, body: Node, actions: Node[] }} parts
 * @param {() => void} onsubmit
 */
export function panel({ title, name, description, head, body, actions }, onsubmit) {
  const outcome = element('div', { class: 'outcome' })
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault()
    onsubmit()
  }
  const node = element(
    'section',
    { class: 'panel' },
    element('h2', {}, visibleText(title)),
    element('p', { class: 'name' }, visibleText(name)),
    head,
    description !== undefined && element('p', { class: 'about' }, visibleText(description)),
    element('form', { onsubmit: submit }, body, element('div', { class: 'actions' }, ...actions)),
    outcome,
  )
  return {
    node,
    /** @param {...Node} views */
    show: (...views) => outcome.replaceChildren(...views),
    /** @param {unknown} error @param {() => void} [again] */
    fail: (error, again) => outcome.replaceChildren(failureView(error, again)),
  }
}
