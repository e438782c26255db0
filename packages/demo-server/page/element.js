/**
 * Makes an element. Children are elements or text: nothing a server says is ever read as HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [props] listeners as `onclick`, attributes with a dash, all else as properties
 * @param {...(Node | string | false | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, props = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue
    if (name.startsWith('on')) node.addEventListener(name.slice(2), /** @type {EventListener} */ (value))
    else if (name.includes('-') || name === 'role') node.setAttribute(name, String(value))
    else Reflect.set(node, name === 'class' ? 'className' : name, value)
  }
  node.append(...children.filter((child) => child !== false && child !== null && child !== undefined))
  return node
}

/**
 * An element of index.html.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} id
 * @returns {HTMLElementTagNameMap[K]}
 */
export function byId(tag, id) {
  const node = document.getElementById(id)
  if (node?.localName !== tag) throw new Error(`The page has no <${tag} id="${id}">`)
  return /** @type {any} */ (node)
}
