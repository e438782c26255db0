/** What is wrong with a value, and where: a JSON pointer, empty for the whole. */
export interface FaultPlace {
  path: string
  message: string
}

interface Told {
  keyword: string
  instanceLocation: string
  error: string
}

const MISSING = /^Instance does not have required property "(.*)"\.$/s
const TYPE = /^Instance type "(.*?)" is invalid\. Expected "(.*)"\.$/s
const MAX_MESSAGE = 300

/** What a check says of a whole value, put to the field that it is about, in words for somebody who fills in a form. */
export function placeFault({ keyword, instanceLocation, error }: Told): FaultPlace {
  const here = unescaped(instanceLocation)
  const missing = keyword === 'required' ? MISSING.exec(error)?.[1] : undefined
  // The check complains of the object; the field that is empty is in it.
  if (missing !== undefined) return { path: `${here}/${escaped(missing)}`, message: 'This is needed.' }
  return { path: here, message: inWords(error).slice(0, MAX_MESSAGE) }
}

function inWords(error: string): string {
  const type = TYPE.exec(error)
  if (type) return `This is of type ${type[1]}; it must be ${type[2]?.replaceAll('", "', ' or ')}.`
  if (error === 'False boolean schema.') return 'The tool takes nothing of this name.'
  return error.replace(/^Instance /, 'It ')
}

/** The check writes its pointers as a part of an address. */
function unescaped(location: string): string {
  const pointer = location.slice(1)
  try {
    return decodeURIComponent(pointer)
  } catch {
    return pointer
  }
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
