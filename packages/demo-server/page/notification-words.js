/** @param {unknown} value */
const words = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/**
 * A notification in short: its kind, and what it says without the wrapping.
 * @param {import('@switchboard/mcp').Notification} notification
 * @returns {{ kind: string, text: string }}
 */
export function notificationWords({ method, params }) {
  const kind = method.replace(/^notifications\//, '')
  const { _meta, ...said } = params ?? {}
  switch (kind) {
    case 'progress': {
      const { progress, total, message } = said
      const share = total === undefined ? words(progress) : `${words(progress)} of ${words(total)}`
      return { kind, text: message === undefined ? share : words(message) }
    }
    case 'message':
      return { kind: `log: ${words(said['level'])}`, text: words(said['data']) }
    case 'resources/updated':
      return { kind: 'resource changed', text: words(said['uri']) }
    default:
      return { kind, text: Object.keys(said).length === 0 ? '' : words(said) }
  }
}
