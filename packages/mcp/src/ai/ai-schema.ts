import { must } from '../errors.ts'
import { isObject, type JsonObject } from '../jsonrpc.ts'
import { checkJson } from './check-json.ts'

export type Verdict = { success: true; value: unknown } | { success: false; error: Error }
export type Validate = (value: unknown) => Verdict | PromiseLike<Verdict>

const SCHEMA = Symbol.for('vercel.ai.schema')
const VALIDATOR = Symbol.for('vercel.ai.validator')

/**
 * The one shape that `ai` 5, 6 and 7 all take for a schema: version 5 wants the second mark and a JSON Schema that is
 * there at once, and all take an object without a `validate` of its own for something else.
 */
export class AISchema {
  declare readonly _type: undefined
  readonly jsonSchema: unknown
  readonly validate: Validate | undefined

  constructor(jsonSchema: unknown, validate?: Validate) {
    this.jsonSchema = jsonSchema
    this.validate = validate
  }
  /** Own properties would cost every tool of a server more than all the rest of it. */
  static {
    Object.assign(this.prototype, { [SCHEMA]: true, [VALIDATOR]: true, _type: undefined })
  }
}

interface Standard {
  vendor?: unknown
  validate: (value: unknown) => Outcome | Promise<Outcome>
  jsonSchema?: { input?: (options: { target: string }) => JsonObject }
}
interface Outcome {
  value?: unknown
  issues?: readonly { message?: unknown; path?: readonly unknown[] }[] | undefined
}

/** Anything that has members, as a record; functions too, which some schemas are. */
type Bag = Record<string | symbol, unknown>
const asBag = (schema: unknown): Bag | undefined =>
  (typeof schema === 'object' && schema !== null) || typeof schema === 'function' ? (schema as Bag) : undefined
const standardOf = (bag: Bag): Standard | undefined =>
  isObject(bag['~standard']) ? (bag['~standard'] as unknown as Standard) : undefined

/** The schema itself, where a function gives it when it is needed. */
function unpack(schema: unknown): Bag {
  let bag = asBag(schema)
  if (typeof schema === 'function' && bag && !standardOf(bag) && !(SCHEMA in bag))
    bag = asBag((schema as () => unknown)())
  must(bag, 'A schema must be one of Zod, Standard Schema, the AI SDK or JSON Schema')
  return bag
}

/** Zod before it knew of Standard Schema. */
const isOldZod = (bag: Bag): boolean => typeof bag['safeParse'] === 'function' && '_def' in bag

/** What checks a value against any schema that users have. */
export function validatorOf(schema: unknown): Validate | undefined {
  const bag = unpack(schema)
  if (SCHEMA in bag) return bag['validate'] as Validate | undefined
  const standard = standardOf(bag)
  if (standard) {
    const judge = ({ value, issues }: Outcome): Verdict =>
      issues ? { success: false, error: new TypeError(issues.map(describe).join('; ')) } : { success: true, value }
    return (value) => {
      const outcome = standard.validate(value)
      return outcome instanceof Promise ? outcome.then(judge) : judge(outcome)
    }
  }
  if (isOldZod(bag)) {
    const zod = bag as unknown as { safeParse: (value: unknown) => Verdict & { data?: unknown } }
    return (value) => {
      const verdict = zod.safeParse(value)
      return verdict.success ? { success: true, value: verdict.data } : verdict
    }
  }
  return (value) => {
    const fault = checkJson(bag, value)
    return fault ? { success: false, error: new TypeError(fault) } : { success: true, value }
  }
}

const describe = ({ message, path = [] }: { message?: unknown; path?: readonly unknown[] }): string => {
  const where = path.map((step) => String(isObject(step) ? step['key'] : step)).join('.')
  return where ? `${where}: ${String(message)}` : String(message)
}

/**
 * A user's schema in a form that all versions of `ai` take. What they all read by themselves stays as it is. `described` gives
 * the server's JSON Schema, told to the model where the user's schema can check values and not describe itself.
 */
export function asAISchema(schema: unknown, described: () => JsonObject): unknown {
  const bag = unpack(schema)
  if (SCHEMA in bag) {
    if (VALIDATOR in bag && 'validate' in bag) return bag
    return new AISchema(bag['jsonSchema'], bag['validate'] as Validate | undefined)
  }
  const standard = standardOf(bag)
  if (standard?.vendor === 'zod' || (!standard && isOldZod(bag))) return bag
  const validate = validatorOf(bag)
  if (!standard) return new AISchema('type' in bag ? bag : { type: 'object', properties: {}, ...bag }, validate)
  let own: JsonObject | undefined
  try {
    own = standard.jsonSchema?.input?.({ target: 'draft-07' })
  } catch {
    // It holds what JSON Schema has no words for.
  }
  // Closed as `ai` itself closes objects; a union at the root would let nothing through.
  if (own?.['type'] === 'object') own = { additionalProperties: false, ...own }
  return new AISchema(own ?? described(), validate)
}
