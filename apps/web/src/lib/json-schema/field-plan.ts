export interface Option {
  value: unknown
  label: string
}

export interface Property {
  key: string
  schema: unknown
  required: boolean
}

export interface Branch {
  label: string
  schema: unknown
}

/** What to draw for one place of a value. What lies below is planned when it is drawn: schemas may hold themselves. */
export type FieldPlan = Described &
  (
    | { kind: 'text'; format: TextFormat; long: boolean }
    | { kind: 'number'; integer: boolean }
    | { kind: 'boolean' }
    | { kind: 'constant'; value: unknown }
    /** `more`: how many choices there are beyond those listed. */
    | { kind: 'choice'; options: Option[]; more: number }
    | { kind: 'choices'; options: Option[]; more: number }
    /** `rest`: what properties of other names are, where there may be any. `isImplied`: the schema does not forbid them. */
    | { kind: 'object'; properties: Property[]; rest?: { schema: unknown; isImplied?: true } }
    /** `first`: what stands at fixed places; `rest`: what may follow. */
    | { kind: 'array'; first: unknown[]; rest?: { schema: unknown }; most?: number }
    | { kind: 'union'; branches: Branch[] }
    | { kind: 'json'; why: string }
  )

export type TextFormat = 'plain' | 'email' | 'uri' | 'date' | 'time' | 'date-time' | 'password'

interface Described {
  /** A stranger's words, made visible and cut. */
  title?: string
  description?: string
  /** What it must be like, in our words. */
  hints: string[]
  default?: { value: unknown }
  /** It may be null as well. */
  nullable: boolean
}
