import { byId, element } from './element.js'
import { visibleText } from './visible-text.js'

const KEPT = 100

/** The list of what arrives unasked, newest first. A flood is drawn once a frame and keeps the last hundred. */
export function createLog() {
  const place = byId('aside', 'log')
  const list = element('ol', { role: 'log', 'aria-label': 'Notifications' })
  const count = element('small', {}, '')
  const empty = element(
    'p',
    { class: 'empty' },
    'What the server says unasked appears here: progress, log messages, changes.',
  )
  /** @type {{ at: Date, kind: string, text: string }[]} */
  let waiting = []
  let total = 0
  let scheduled = false

  const clear = element('button', { type: 'button', class: 'quiet', onclick: reset }, 'Clear')
  place.append(element('h2', {}, 'Notifications ', count, clear), empty, list)

  function reset() {
    waiting = []
    total = 0
    list.replaceChildren()
    count.textContent = ''
    empty.hidden = false
  }

  function draw() {
    const news = waiting.reverse()
    waiting = []
    scheduled = false
    list.prepend(
      ...news.map(({ at, kind, text }) =>
        element(
          'li',
          {},
          element('time', { dateTime: at.toISOString(), title: at.toLocaleString() }, at.toLocaleTimeString()),
          element('strong', {}, visibleText(kind)),
          text !== '' && element('span', {}, visibleText(text)),
        ),
      ),
    )
    while (list.children.length > KEPT) list.lastElementChild?.remove()
    count.textContent = String(total)
    empty.hidden = total > 0
  }

  return {
    reset,
    /** @param {string} kind @param {string} [text] */
    add(kind, text = '') {
      total++
      waiting.push({ at: new Date(), kind, text: text.slice(0, 300) })
      // Nothing is drawn while the page is in the background: what nobody sees must not pile up.
      if (waiting.length > KEPT) waiting.shift()
      if (!scheduled) requestAnimationFrame(draw)
      scheduled = true
    },
  }
}
