/** More variables than this nobody fills in. */
const MOST_VARIABLES = 20

interface Expression {
  operator: string
  variables: { name: string; length?: number }[]
}

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g
const VARIABLE = /^([\w.%-]+)(?::(\d{1,4})|\*)?$/

function readExpression(operator: string, list: string): Expression {
  const variables = list.split(',').flatMap((one) => {
    const [, name, length] = VARIABLE.exec(one.trim()) ?? []
    return name === undefined ? [] : [{ name, ...(length !== undefined && { length: Number(length) }) }]
  })
  return { operator, variables }
}

/** The names between the braces of an address with variables, each once. */
export function variablesOf(template: string): string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, operator = '', list = '']) =>
    readExpression(operator, list).variables.map(({ name }) => name),
  )
  return [...new Set(names)].slice(0, MOST_VARIABLES)
}

/** What stands before the first value and between two, whether each is named, and whether an address' own letters stay. */
const MANNERS: { [operator: string]: { first: string; between: string; isNamed?: boolean; keepsReserved?: boolean } } =
  {
    '': { first: '', between: ',' },
    '+': { first: '', between: ',', keepsReserved: true },
    '#': { first: '#', between: ',', keepsReserved: true },
    '.': { first: '.', between: '.' },
    '/': { first: '/', between: '/' },
    ';': { first: ';', between: ';', isNamed: true },
    '?': { first: '?', between: '&', isNamed: true },
    '&': { first: '&', between: '&', isNamed: true },
  }

// Half a character cannot be encoded, and would end the app.
const LONE = /\p{Surrogate}/gu
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(LONE, '\ufffd')).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
// A % that begins an escape already stays as it is.
const encodedButReserved = (text: string): string =>
  text
    .split(/(%[\dA-Fa-f]{2}|[:/?#[\]@!$&'()*+,;=])/)
    .map((piece, index) => (index % 2 === 1 ? piece : encoded(piece)))
    .join('')

/** The address that a template and the values for its variables make. A value that is empty is left out. */
export const expandTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(EXPRESSION, (_, operator: string, list: string) => {
    const { first, between, isNamed, keepsReserved } = MANNERS[operator] ?? { first: '', between: ',' }
    const filled = readExpression(operator, list).variables.flatMap(({ name, length }) => {
      const value = Object.hasOwn(values, name) ? (values[name] ?? '') : ''
      if (value === '') return []
      const cut = length === undefined ? value : Array.from(value).slice(0, length).join('')
      const written = keepsReserved ? encodedButReserved(cut) : encoded(cut)
      return [isNamed ? `${name}=${written}` : written]
    })
    return filled.length === 0 ? '' : first + filled.join(between)
  })
