import { descriptionOf, hintsOf, shortValue, titleOf } from './describe-schema.ts'
import type { Branch, FieldPlan, Option, Property, TextFormat } from './field-plan.ts'
import { flattenSchema } from './flatten-schema.ts'
import { countOf, isRecord, listOf, type Schema, textOf } from './schema.ts'

const MOST_OPTIONS = 500
const MOST_BRANCHES = 50
const MOST_PLACES = 50
/** Unions of one inside unions of one: one of them may hold itself. */
const MOST_UNWRAPPED = 10
const LONG_TEXT = 200
const LONG_NAMES = /^(body|content|contents|text|code|script|sql|html|markdown|message|prompt|function|instructions)$/i
const UNION_WORDS = ['anyOf', 'oneOf'] as const
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** What to draw for one place. `name` is how it is called where it stands. */
export function planField(root: unknown, schema: unknown, name = '', unwrapped = 0): FieldPlan {
  const flat = unwrapped > MOST_UNWRAPPED ? undefined : flattenSchema(root, schema)
  if (!flat) return { kind: 'json', why: whyNot(schema), hints: [], nullable: false }
  return planFlat(root, flat, name, unwrapped)
}

const whyNot = (schema: unknown): string =>
  schema === false
    ? 'Nothing fits here, says the schema.'
    : 'Its schema refers to something that is not part of it, or to itself without end.'

function planFlat(root: unknown, flat: Schema, name: string, unwrapped: number): FieldPlan {
  const title = titleOf(flat)
  const description = descriptionOf(flat)
  const described = {
    ...(title && { title }),
    ...(description && { description }),
    ...(Object.hasOwn(flat, 'default') && { default: { value: flat['default'] } }),
    hints: hintsOf(flat),
    nullable: flat['nullable'] === true,
  }
  if (Object.hasOwn(flat, 'const')) return { ...described, kind: 'constant', value: flat['const'] }
  if (Array.isArray(flat['enum']) && flat['enum'].length > 0) return { ...described, ...choiceOf(flat) }

  const word = UNION_WORDS.find((one) => listOf(flat[one]).length > 0)
  const union = word && planUnion(root, flat, word, name, unwrapped)
  if (union) return { ...described, ...union, nullable: described.nullable || union.nullable }

  const types = typesOf(flat)
  const kinds = types.filter((type) => type !== 'null')
  const nullable = described.nullable || types.includes('null')
  if (kinds.length === 0 && nullable) return { ...described, kind: 'constant', value: null }
  const [only] = kinds
  if (kinds.length > 1 || !only)
    return { ...described, nullable, kind: 'union', branches: (kinds.length > 1 ? kinds : ANY).map(ofType(flat)) }
  return { ...described, nullable, ...planType(root, flat, only, name) }
}

/** What a value of any kind may be; the kinds below are chosen in turn. */
const ANY = ['string', 'number', 'boolean', 'array', 'object']
const WORDS: Record<string, string> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  array: 'List',
  object: 'Object',
  null: 'null',
}
const ofType =
  ({ title: _title, description: _description, default: _default, ...flat }: Schema) =>
  (type: string): Branch => ({ label: WORDS[type] ?? type, schema: { ...flat, type } })

function typesOf(flat: Schema): string[] {
  const { type } = flat
  const given = (Array.isArray(type) ? type : [type]).filter(
    (one): one is string => typeof one === 'string' && TYPES.includes(one),
  )
  if (given.length > 0) return [...new Set(given)]
  const has = (...keys: string[]) => keys.some((key) => Object.hasOwn(flat, key))
  if (has('properties', 'additionalProperties', 'required', 'patternProperties')) return ['object']
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return ['array']
  if (has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum')) return ['number']
  if (has('pattern', 'minLength', 'maxLength', 'format', 'contentEncoding')) return ['string']
  return []
}

type Kind<Of extends FieldPlan['kind'] = FieldPlan['kind']> = Of extends unknown
  ? Omit<Extract<FieldPlan, { kind: Of }>, 'title' | 'description' | 'hints' | 'default' | 'nullable'>
  : never

function planType(root: unknown, flat: Schema, type: string, name: string): Kind {
  switch (type) {
    case 'number':
    case 'integer':
      return { kind: 'number', integer: type === 'integer' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array':
      return planArray(root, flat)
    case 'object':
      return planObject(flat)
    default:
      return { kind: 'text', ...textKind(flat, name) }
  }
}

function textKind(flat: Schema, name: string): { format: TextFormat; long: boolean } {
  const long =
    (countOf(flat['maxLength']) ?? 0) > LONG_TEXT ||
    textOf(flat['contentMediaType']) !== undefined ||
    LONG_NAMES.test(name)
  switch (flat['format']) {
    case 'email':
    case 'idn-email':
      return { format: 'email', long: false }
    case 'uri':
    case 'url':
    case 'iri':
    case 'uri-reference':
      return { format: 'uri', long: false }
    case 'date':
    case 'time':
    case 'date-time':
    case 'password':
      return { format: flat['format'], long: false }
    default:
      return { format: 'plain', long }
  }
}

function planObject(flat: Schema): Kind<'object'> {
  const given = isRecord(flat['properties']) ? flat['properties'] : {}
  const required = new Set(listOf(flat['required']))
  const properties: Property[] = Object.entries(given).map(([key, schema]) => ({
    key,
    schema,
    required: required.has(key),
  }))
  // Named as needed and described nowhere: it can be anything.
  for (const key of required)
    if (typeof key === 'string' && !Object.hasOwn(given, key) && properties.length < MOST_OPTIONS)
      properties.push({ key, schema: {}, required: true })
  const stated = statedRest(flat)
  const isImplied = stated === undefined && properties.length === 0 && flat['additionalProperties'] !== false
  return {
    kind: 'object',
    properties: properties.toSorted((a, b) => Number(b.required) - Number(a.required)),
    ...(isImplied ? { rest: { schema: {}, isImplied } } : stated !== undefined && { rest: { schema: stated } }),
  }
}

/** Every schema that says nothing allows other names; they are offered where it says so, or where there is nothing else. */
function statedRest({ additionalProperties: others, patternProperties }: Schema): unknown {
  if (isRecord(others) || others === true) return others
  return isRecord(patternProperties) ? Object.values(patternProperties)[0] : undefined
}

function planArray(root: unknown, flat: Schema): Kind<'choices' | 'array'> {
  const { items, prefixItems, additionalItems, maxItems } = flat
  const most = countOf(maxItems)
  const places = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? additionalItems : items
  if (places.length === 0) {
    const each = flattenSchema(root, items)
    const choice = each && choiceIn(root, each)
    if (choice && choice.more === 0 && choice.options.length > 0)
      return { kind: 'choices', options: choice.options, more: choice.more }
  }
  return {
    kind: 'array',
    first: places.slice(0, MOST_PLACES),
    // A tuple that does not say what follows is taken to end: nobody wants more places than it names.
    ...(rest !== false && (rest !== undefined || places.length === 0) && { rest: { schema: rest } }),
    ...(most !== undefined && { most }),
  }
}

function choiceOf(flat: Schema): Kind<'choice'> {
  const values = listOf(flat['enum'])
  const names = listOf(flat['enumNames'] ?? flat['x-enumNames'])
  return {
    kind: 'choice',
    options: values
      .slice(0, MOST_OPTIONS)
      .map((value, index) => ({ value, label: shortValue(textOf(names[index]) ?? value) || '(empty)' })),
    more: Math.max(0, values.length - MOST_OPTIONS),
  }
}

/** A schema that is a list of values, be it as `enum` or as titled constants. */
function choiceIn(root: unknown, flat: Schema): Kind<'choice'> | undefined {
  if (Array.isArray(flat['enum']) && flat['enum'].length > 0) return choiceOf(flat)
  const word = UNION_WORDS.find((one) => listOf(flat[one]).length > 0)
  return word && titledChoice(root, listOf(flat[word]))
}

function titledChoice(root: unknown, branches: unknown[]): Kind<'choice'> | undefined {
  const options: Option[] = []
  for (const branch of branches.slice(0, MOST_OPTIONS)) {
    const flat = flattenSchema(root, branch)
    if (!flat) return undefined
    const constant = Object.hasOwn(flat, 'const')
    if (!constant && !Array.isArray(flat['enum'])) return undefined
    if (constant)
      options.push({ value: flat['const'], label: titleOf(flat) ?? (shortValue(flat['const']) || '(empty)') })
    else options.push(...choiceOf(flat).options)
  }
  return {
    kind: 'choice',
    options: options.slice(0, MOST_OPTIONS),
    more: Math.max(0, branches.length - MOST_OPTIONS, options.length - MOST_OPTIONS),
  }
}

function planUnion(
  root: unknown,
  flat: Schema,
  word: (typeof UNION_WORDS)[number],
  name: string,
  unwrapped: number,
): (Kind & { nullable: boolean }) | undefined {
  const all = listOf(flat[word])
  // Branches that only say which properties go together change nothing that is drawn.
  if (all.every((branch) => isRecord(branch) && isConstraint(branch))) return undefined
  const isNull = (branch: unknown) => {
    const { type, const: constant } = (isRecord(branch) && flattenSchema(root, branch)) || {}
    return type === 'null' || constant === null
  }
  const branches = all.filter((branch) => !isNull(branch))
  const nullable = branches.length < all.length
  const titled = branches.length > 0 && titledChoice(root, branches)
  if (titled) return { ...titled, nullable }
  const { [word]: _branches, title: _title, description: _description, default: _default, ...base } = flat
  const whole = branches.map((branch) => ({ allOf: [base, branch] }))
  const [only] = whole
  if (whole.length === 1 && only) {
    const { title: _t, description: _d, default: _f, hints: _h, ...plan } = planField(root, only, name, unwrapped + 1)
    return { ...plan, nullable: nullable || plan.nullable }
  }
  if (whole.length === 0) return { kind: 'constant', value: null, nullable }
  if (whole.length > MOST_BRANCHES) return { kind: 'json', why: `It can be any of ${whole.length} things.`, nullable }
  return { kind: 'union', branches: whole.map((schema) => ({ label: labelOf(root, schema), schema })), nullable }
}

const CONSTRAINTS = new Set(['required', 'not', 'minProperties', 'maxProperties', 'description', 'title', '$comment'])
const isConstraint = (branch: Schema): boolean => Object.keys(branch).every((key) => CONSTRAINTS.has(key))

/** How a branch is told from the others. */
function labelOf(root: unknown, schema: unknown): string {
  const flat = flattenSchema(root, schema)
  if (!flat) return 'JSON'
  const title = titleOf(flat)
  if (title) return title
  const types = typesOf(flat)
  const [type] = types
  const word = types.map((one) => WORDS[one] ?? one).join(' or ')
  if (type === 'object' && isRecord(flat['properties'])) {
    const entries = Object.entries(flat['properties'])
    const marks = entries.filter(([, part]) => isRecord(part) && Object.hasOwn(part, 'const'))
    if (marks.length > 0)
      return marks
        .slice(0, 2)
        .map(([key, part]) => `${shortValue(key)}: ${shortValue((part as Schema)['const'])}`)
        .join(', ')
    return `Object with ${entries
      .slice(0, 3)
      .map(([key]) => shortValue(key))
      .join(', ')}`
  }
  if (type === 'array') {
    const items = flattenSchema(root, flat['items'])
    const [of] = items ? typesOf(items) : []
    return of ? `List of ${(WORDS[of] ?? of).toLowerCase()}` : 'List'
  }
  if (Array.isArray(flat['enum'])) return `One of ${flat['enum'].slice(0, 3).map(shortValue).join(', ')}`
  if (Object.hasOwn(flat, 'const')) return shortValue(flat['const'])
  const format = textOf(flat['format'])
  return word ? `${word}${format ? ` (${shortValue(format)})` : ''}` : 'Anything'
}
