import { claims } from './badges-view.js'
import { byId, element } from './element.js'
import { visibleText } from './visible-text.js'

/**
 * @typedef {{ key: string, title: string, name: string, annotations?: import('@switchboard/mcp').ToolAnnotations | undefined,
 *   open: () => HTMLElement }} Item
 * @typedef {{ heading: string, items: Item[], problem?: Node | undefined }} Group
 */

const WARNING = 'claims: destructive, or talks to the outside world'

/** The list of everything the server offers, and the panel of the chosen one. A panel keeps its state while another is shown. */
export function createCatalog() {
  const nav = byId('nav', 'catalog')
  const panels = byId('div', 'panels')
  /** @type {Map<string, HTMLElement>} */
  const opened = new Map()
  /** @type {string | undefined} */
  let chosen

  /** @param {Item} item */
  function choose(item) {
    chosen = item.key
    let node = opened.get(item.key)
    if (!node) {
      node = item.open()
      opened.set(item.key, node)
      panels.append(node)
    }
    for (const other of panels.children) if (other instanceof HTMLElement) other.hidden = other !== node
    for (const button of nav.querySelectorAll('button')) {
      if (button.dataset['key'] === item.key) button.setAttribute('aria-current', 'true')
      else button.removeAttribute('aria-current')
    }
  }

  /** @param {Item} item */
  const itemView = (item) =>
    element(
      'li',
      {},
      element(
        'button',
        { type: 'button', 'data-key': item.key, title: item.name, onclick: () => pick(item) },
        element('span', {}, visibleText(item.title)),
        claims(item.annotations).some(({ tone }) => tone === 'warn') &&
          element('span', { class: 'mark', role: 'img', 'aria-label': WARNING, title: WARNING }, '⚠'),
      ),
    )

  /** @param {Item} item */
  function pick(item) {
    choose(item)
    // On a phone the panel is below the list.
    if (matchMedia('(max-width: 760px)').matches) byId('main', 'desk').scrollIntoView({ block: 'start' })
  }

  return {
    /** @param {...Node} views */
    clear(...views) {
      opened.clear()
      chosen = undefined
      nav.replaceChildren()
      panels.replaceChildren(...views)
    },
    /** @param {Group[]} groups */
    show(groups) {
      nav.replaceChildren(
        ...groups.map(({ heading, items, problem }) =>
          element(
            'section',
            {},
            element('h2', {}, heading, element('small', {}, ` ${items.length}`)),
            problem,
            element('ul', {}, ...items.map(itemView)),
          ),
        ),
      )
      const items = groups.flatMap((group) => group.items)
      const item = items.find(({ key }) => key === chosen) ?? items[0]
      if (item) choose(item)
      else
        panels.replaceChildren(
          element('p', { class: 'notice empty' }, 'This server offers no tools, no resources and no prompts.'),
        )
    },
  }
}
