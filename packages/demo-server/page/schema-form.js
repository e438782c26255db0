import { element } from './element.js'
import { visibleText } from './visible-text.js'

/** @typedef {{ [key: string]: unknown }} Fields */
/** @typedef {{ key: string, node: HTMLElement, read: () => unknown }} Field */

/** @param {unknown} value @returns {Fields} */
const fields = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? /** @type {Fields} */ (value) : {}

/**
 * The choices of an `enum` or of `oneOf` with constants.
 * @param {Fields} schema
 * @returns {{ value: string, title: string }[] | undefined}
 */
function choicesOf(schema) {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => ({ value: String(value), title: String(value) }))
  if (!Array.isArray(schema.oneOf) || !schema.oneOf.every((one) => 'const' in fields(one))) return undefined
  return schema.oneOf.map(fields).map((one) => ({ value: String(one.const), title: String(one.title ?? one.const) }))
}

/**
 * One field of the form; what is left empty and is not required reads as undefined.
 * @param {string} key @param {Fields} schema @param {boolean} required
 * @returns {Field}
 */
function makeField(key, schema, required) {
  const title = visibleText(String(schema.title ?? key))
  const hint =
    typeof schema.description === 'string' ? element('small', {}, visibleText(schema.description)) : undefined
  const start = schema.default
  /** @param {HTMLElement} control */
  const labelled = (control) =>
    element(
      'label',
      { class: 'field' },
      element('span', {}, title, !required && element('small', {}, ' optional')),
      control,
      hint,
    )

  if (schema.type === 'boolean') {
    const box = element('input', { type: 'checkbox', name: key, checked: start === true })
    const node = element('label', { class: 'field check' }, box, element('span', {}, title), hint)
    return { key, node, read: () => box.checked }
  }
  const choices = choicesOf(schema)
  if (choices) {
    const options = choices.map(({ value, title: text }) => element('option', { value }, visibleText(text)))
    const select = element('select', { name: key }, !required && element('option', { value: '' }, '–'), ...options)
    if (start !== undefined) select.value = String(start)
    return { key, node: labelled(select), read: () => (select.value === '' ? undefined : select.value) }
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    const input = element('input', {
      type: 'number',
      name: key,
      required,
      step: schema.type === 'integer' ? '1' : 'any',
      min: schema.minimum ?? '',
      max: schema.maximum ?? '',
      value: start === undefined ? '' : String(start),
    })
    return { key, node: labelled(input), read: () => (input.value === '' ? undefined : Number(input.value)) }
  }
  if (schema.type === 'string') {
    const long = Number(schema.maxLength ?? 0) > 200
    const props = { name: key, required, value: typeof start === 'string' ? start : '', rows: 3 }
    const input = long ? element('textarea', props) : element('input', props)
    if (typeof schema.maxLength === 'number') input.maxLength = schema.maxLength
    return { key, node: labelled(input), read: () => (input.value === '' && !required ? undefined : input.value) }
  }
  // What no plain field can hold is written as JSON, this part only.
  const area = element('textarea', { name: key, required, rows: 3, class: 'code', spellcheck: false })
  area.value = start === undefined ? '' : JSON.stringify(start)
  return { key, node: labelled(area), read: () => (area.value.trim() === '' ? undefined : parse(area.value, title)) }
}

/** @param {string} text @param {string} what */
function parse(text, what) {
  try {
    return /** @type {unknown} */ (JSON.parse(text))
  } catch (error) {
    throw new TypeError(`${what} is no JSON: ${error instanceof Error ? error.message : ''}`, { cause: error })
  }
}

/**
 * A form for the object that a JSON Schema describes.
 * @param {unknown} schema
 */
export function schemaForm(schema) {
  const { properties, required } = fields(schema)
  const needed = Array.isArray(required) ? required : []
  const made = Object.entries(fields(properties)).map(([key, one]) => makeField(key, fields(one), needed.includes(key)))
  const node = element('div', { class: 'fields' }, ...made.map((field) => field.node))
  return {
    node,
    empty: made.length === 0,
    /** What the form says; throws a TypeError naming the field that cannot be read. @returns {Fields} */
    read() {
      /** @type {Fields} */
      const values = {}
      for (const { key, read } of made) {
        const value = read()
        if (value !== undefined) Object.defineProperty(values, key, { value, enumerable: true })
      }
      return values
    },
  }
}

/**
 * The same, with a switch to plain JSON for those who paste.
 * @param {unknown} schema
 */
export function argumentsForm(schema) {
  const form = schemaForm(schema)
  const area = element('textarea', { class: 'code', rows: 6, spellcheck: false, 'aria-label': 'Arguments as JSON' })
  const json = element('div', { hidden: true }, area)
  const toggle = element('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false', onclick: flip }, 'JSON')
  function flip() {
    const asJson = json.hidden
    if (asJson) {
      try {
        area.value = JSON.stringify(form.read(), null, 2)
      } catch {
        area.value = '{}'
      }
    }
    json.hidden = !asJson
    form.node.hidden = asJson
    toggle.setAttribute('aria-pressed', String(asJson))
  }
  return {
    node: element('div', {}, form.node, json),
    toggle,
    empty: form.empty,
    /** @returns {Fields} */
    read() {
      if (json.hidden) return form.read()
      const value = parse(area.value, 'What you wrote')
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new TypeError('Arguments are a JSON object: { … }')
      return /** @type {Fields} */ (value)
    },
  }
}
