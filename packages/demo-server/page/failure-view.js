import { element } from './element.js'
import { explainFailure } from './explain-failure.js'
import { visibleText } from './visible-text.js'

/**
 * A failure as people read it, with the button for the next step where there is one.
 * @param {unknown} error
 * @param {() => void} [again]
 */
export function failureView(error, again) {
  const { title, text, next, again: label } = explainFailure(error)
  return element(
    'div',
    { class: 'notice bad', role: 'alert' },
    element('h3', {}, title),
    element('p', {}, visibleText(text)),
    next !== '' && element('p', { class: 'next' }, next),
    again !== undefined && label !== undefined && element('button', { type: 'button', onclick: again }, label),
  )
}
