/**
 * Deterministic payloads. Everything heavy is serialised once, at start-up, so
 * that the server's own cost stays out of the figures.
 */

/** Small deterministic PRNG (mulberry32). */
export function rng(seed) {
  let a = seed >>> 0
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const NOUNS = [
  'issue',
  'repository',
  'branch',
  'invoice',
  'customer',
  'calendar_event',
  'document',
  'deployment',
  'ticket',
  'message',
  'file',
  'workflow',
]
const VERBS = ['create', 'list', 'get', 'update', 'delete', 'search', 'archive', 'assign', 'merge', 'export']
const FIELDS = [
  'owner',
  'repo',
  'title',
  'body',
  'labels',
  'state',
  'since',
  'per_page',
  'page',
  'sort',
  'direction',
  'assignee',
  'due_date',
  'priority',
  'query',
  'filter',
]

function property(rand, name) {
  const description = `The ${name.replace('_', ' ')} to use for this operation. Must be visible to the authenticated user.`
  const k = Math.floor(rand() * 6)
  if (k === 0) return { type: 'integer', minimum: 1, maximum: 100, default: 30, description }
  if (k === 1) return { type: 'string', enum: ['open', 'closed', 'all', 'draft'], description }
  if (k === 2) return { type: 'array', items: { type: 'string' }, maxItems: 50, description }
  if (k === 3) return { type: 'boolean', description }
  if (k === 4) {
    return {
      type: 'object',
      properties: {
        from: { type: 'string', format: 'date-time', description: 'Start, inclusive' },
        to: { type: 'string', format: 'date-time', description: 'End, exclusive' },
      },
      required: ['from'],
      description,
    }
  }
  return { type: 'string', minLength: 1, maxLength: 256, description }
}

/** One realistic tool: 3 to 8 properties, annotations, about 1.2 KB of JSON. */
export function makeTool(i, withOutputSchema) {
  const rand = rng(i + 1)
  const verb = VERBS[i % VERBS.length]
  const noun = NOUNS[Math.floor(i / VERBS.length) % NOUNS.length]
  const properties = {}
  const n = 3 + Math.floor(rand() * 6)
  for (let k = 0; k < n; k++) {
    const name = FIELDS[(i + k * 3) % FIELDS.length]
    properties[name] = property(rand, name)
  }
  const names = Object.keys(properties)
  const tool = {
    name: `${verb}_${noun}_${i}`,
    title: `${verb[0].toUpperCase()}${verb.slice(1)} ${noun}`,
    description: `${verb} a ${noun} in the workspace. Returns the resulting ${noun} as JSON. Use this when the user asks to ${verb} one or more ${noun}s; prefer the search tool when the identifier is unknown.`,
    inputSchema: {
      type: 'object',
      properties,
      required: names.slice(0, Math.min(2, names.length)),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: verb === 'list' || verb === 'get',
      destructiveHint: verb === 'delete',
      idempotentHint: verb !== 'create',
      openWorldHint: true,
    },
  }
  if (withOutputSchema) {
    tool.outputSchema = {
      type: 'object',
      properties: {
        id: { type: 'string' },
        url: { type: 'string', format: 'uri' },
        total: { type: 'integer', minimum: 0 },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: { type: 'string' }, [`${noun}_${i}`]: { type: 'string' } },
            required: ['id'],
          },
        },
      },
      required: ['id'],
    }
  }
  return tool
}

/** `count` tools; `outPercent` percent of them carry an outputSchema. The `echo`, `big` and `notify` tools come first. */
export function makeTools(count, outPercent = 0) {
  const builtin = [
    {
      name: 'echo',
      description: 'Echo a short text',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
    {
      name: 'big',
      description: 'Return a large text',
      inputSchema: { type: 'object', properties: { bytes: { type: 'integer' } }, required: ['bytes'] },
    },
    {
      name: 'notify',
      description: 'Emit progress notifications',
      inputSchema: {
        type: 'object',
        properties: { count: { type: 'integer' }, batch: { type: 'integer' } },
        required: ['count'],
      },
    },
  ]
  const tools = []
  for (let i = 0; i < count; i++) tools.push(i < 3 ? builtin[i] : makeTool(i, (i * 37) % 100 < outPercent))
  return tools
}

/**
 * Text of exactly `bytes` UTF-8 bytes once JSON-escaped: log-like prose with
 * some escapes (\n, \"), ASCII only unless `unicode`.
 */
export function makeText(bytes, unicode = false) {
  const line = unicode
    ? '2026-11-15T10:00:00Z INFO Überweisung für „Zoë“ – 42 € → gebucht\\n'
    : '2026-11-15T10:00:00Z INFO worker-7 handled request path=\\"/v1/items\\" status=200 took=12ms\\n'
  const unit = Buffer.from(line)
  const out = Buffer.alloc(bytes, 0x20)
  let at = 0
  while (at + unit.length <= bytes) {
    unit.copy(out, at)
    at += unit.length
  }
  return out // already JSON-escaped bytes, to be placed between quotes
}
