import { parseTemplate } from 'url-template'

const MAX_VARIABLES = 20
const EXPRESSION = /\{[+#./;?&]?([^{}]*)\}/g
const VARIABLE = /^([\w.%-]+)(?::\d{1,4}|\*)?$/

/** The names of the variables in a URI template, each once. The library expands templates but doesn't list them. */
export function variablesOf(template: string): string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, list = '']) =>
    list.split(',').flatMap((one) => VARIABLE.exec(one)?.[1] ?? []),
  )
  return [...new Set(names)].slice(0, MAX_VARIABLES)
}

const LONE_SURROGATE = /\p{Surrogate}/gu
const ASTRAL = /[\u{10000}-\u{10ffff}]/gu

/** Expands a URI template (RFC 6570). Variables with an empty value are left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  try {
    return expand(template, given, LONE_SURROGATE)
  } catch {
    // A prefix such as {name:1} can cut a character in two, which the library can't encode.
    return expand(template, given, ASTRAL)
  }
}

function expand(template: string, given: readonly [string, string][], unencodable: RegExp): string {
  const repaired = given.map(([name, value]) => [name, value.replace(unencodable, '\ufffd')] as const)
  // Without a prototype, {constructor} has no value unless one was given.
  const context = Object.assign(Object.create(null), Object.fromEntries(repaired)) as Record<string, string>
  return parseTemplate(template.replace(LONE_SURROGATE, '\ufffd')).expand(context)
}
