import { element } from './element.js'

/**
 * What a server says of its tool, marked as its claim. What it leaves out is what the specification assumes: the worst.
 * @param {import('@switchboard/mcp').ToolAnnotations | undefined} annotations
 * @returns {{ label: string, tone: 'calm' | 'warn' }[]}
 */
export function claims({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = {}) {
  /** @type {{ label: string, tone: 'calm' | 'warn' }[]} */
  const found = []
  if (readOnlyHint === true) found.push({ label: 'read-only', tone: 'calm' })
  else {
    if (destructiveHint === true) found.push({ label: 'destructive', tone: 'warn' })
    if (destructiveHint === false) found.push({ label: 'not destructive', tone: 'calm' })
    if (idempotentHint === true) found.push({ label: 'repeatable', tone: 'calm' })
  }
  if (openWorldHint === true) found.push({ label: 'talks to the outside world', tone: 'warn' })
  return found
}

/** @param {import('@switchboard/mcp').ToolAnnotations | undefined} annotations */
export function badgesView(annotations) {
  const found = claims(annotations)
  if (found.length === 0)
    return element('p', { class: 'badges' }, element('span', { class: 'badge' }, 'claims nothing about itself'))
  return element(
    'p',
    { class: 'badges' },
    ...found.map(({ label, tone }) =>
      element('span', { class: `badge ${tone}` }, `${tone === 'warn' ? '⚠ ' : ''}claims: ${label}`),
    ),
  )
}
