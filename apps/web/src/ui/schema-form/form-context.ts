import { type ComponentType, createContext, type ReactNode, useContext } from 'react'
import type { FieldPlan } from '#lib/json-schema/field-plan.ts'

export interface Fault {
  /** A JSON pointer: '' is the whole, '/city' one property of it. */
  path: string
  message: string
}

interface FormContextValue {
  /** Draws one place. Handed down, because places hold places: their files would import each other in a circle. */
  Place: ComponentType<PlaceProps>
  /** The whole schema, in which references are looked up. */
  root: unknown
  faults: readonly Fault[]
  /** Says of a place that what is typed there cannot be sent, or that it can again. */
  report: (path: string, problem: string | undefined) => void
}

export const FormContext = createContext<FormContextValue>({
  Place: () => null,
  root: {},
  faults: [],
  report: () => {},
})

export const useForm = (): FormContextValue => useContext(FormContext)

export interface PlaceProps {
  schema: unknown
  /** How it is called where it stands. */
  name: string
  path: string
  depth: number
  value: unknown
  required?: boolean
  /** That it is needed goes without saying: it is there. */
  unmarked?: boolean
  /** undefined takes it out of the whole. */
  onChange: (value: unknown) => void
}

/** What the parts of a field have in common. */
export interface FieldProps<Kind extends FieldPlan['kind']> extends PlaceProps {
  plan: Extract<FieldPlan, { kind: Kind }>
  label: ReactNode
  hint: ReactNode
  fault: string | undefined
}

export const faultAt = (faults: readonly Fault[], path: string): string | undefined =>
  faults
    .filter((fault) => fault.path === path)
    .map((fault) => fault.message)
    .slice(0, 3)
    .join(' ') || undefined

/** What is wrong at a place that is not drawn, so that it is said at the one above. */
export const faultsUnder = (faults: readonly Fault[], path: string, drawn: readonly string[]): Fault[] => {
  const under = new Set(drawn)
  return faults
    .filter((fault) => fault.path.startsWith(`${path}/`))
    .filter((fault) => !under.has(fault.path.split('/', path.split('/').length + 1).join('/')))
    .slice(0, 5)
}
