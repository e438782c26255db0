import { asJson, hideSecrets } from './hide-secrets.ts'
import { isObject } from './judge-schema.ts'

type Kind = 'task' | 'session' | 'state'

const HIDDEN = '•••'
const LONGEST_STRING = 2_000
/** So many ids are told apart by their labels; of an older one the label is another when it comes again. */
const MOST_LABELS = 1_000
/** So many of the last ids are looked for wherever else they stand. A shorter one would be found in other words. */
const MOST_SOUGHT = 100
const SHORTEST_SOUGHT = 8

const SECRET_NAME =
  /^(authorization|cookie|set-cookie|.*(password|passwd|secret|api[-_]?key|access[-_]?token|refresh[-_]?token|id[-_]?token|private[-_]?key|client[-_]?assertion|credentials?))$/i
/** Who knows one of these may read, change or go on with what is under way. */
const ID_NAMES: [Kind, RegExp][] = [
  ['state', /^requestState$/],
  ['task', /^task[-_]?id$/i],
  ['session', /^(mcp[-_]?)?session[-_]?id$/i],
]

/** Random, so that nothing can be guessed from them, and the same for the same value, so that one can follow what belongs together. */
function createLabels() {
  const labels = new Map<string, string>()
  return {
    of(kind: Kind, value: unknown): string {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const known = labels.get(text)
      if (known !== undefined) return known
      const label = `‹${kind} ${crypto.randomUUID().slice(0, 4)}›`
      labels.set(text, label)
      if (labels.size > MOST_LABELS) labels.delete(labels.keys().next().value ?? '')
      return label
    },
    /** A text in which ids that are known stand for themselves. */
    replaceIn: (text: string): string =>
      [...labels]
        .slice(-MOST_SOUGHT)
        .filter(([value]) => value.length >= SHORTEST_SOUGHT)
        .reduce((rest, [value, label]) => rest.replaceAll(value, label).replaceAll(asJson(value), label), text),
  }
}

/** What somebody answered is theirs and the server's; what remains is that they did, and how. */
const withoutContent = (answer: unknown): unknown =>
  isObject(answer) && 'content' in answer ? { ...answer, content: HIDDEN } : answer

const withoutAnswers = (responses: unknown): unknown =>
  isObject(responses)
    ? Object.fromEntries(Object.entries(responses).map(([key, answer]) => [key, withoutContent(answer)]))
    : HIDDEN

interface Travelling {
  message: object
  /** Of ours, to a question of the server. */
  isAnswer: boolean
  sessionId?: string | undefined
  secrets: readonly string[]
}

/**
 * Messages as text for the record: without credentials, without what people answered, and with labels for the ids that open
 * something (tasks, sessions, the state of a call that asks).
 */
export function createRedaction() {
  const labels = createLabels()
  return ({ message, isAnswer, sessionId, secrets }: Travelling): string => {
    if (sessionId) labels.of('session', sessionId)
    const all = [...new Set([...secrets, ...secrets.map(asJson)])]
    const hide = (text: string): string => labels.replaceIn(hideSecrets(text, all))
    const shown = (key: string, value: unknown): unknown => {
      if (key === 'inputResponses') return withoutAnswers(value)
      const [kind] = ID_NAMES.find(([, name]) => name.test(key)) ?? []
      if (kind && value !== undefined && value !== null && value !== '') return labels.of(kind, value)
      if (typeof value !== 'string') return value
      if (SECRET_NAME.test(key)) return HIDDEN
      if (value.length <= LONGEST_STRING) return value
      // Before it is cut: half a secret would be found by nobody, and is still half of it.
      return `${hide(value).slice(0, LONGEST_STRING)}… (${value.length} characters)`
    }
    const { result, ...rest } = message as { result?: unknown }
    const said = isAnswer && result !== undefined ? { ...rest, result: withoutContent(result) } : message
    return hide(JSON.stringify(said, shown) ?? '')
  }
}
