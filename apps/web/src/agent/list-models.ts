import type { AcceptedMedia } from '#domain/accepted-media.ts'
import { Failed } from '#domain/failure.ts'
import { type Asked, explainTrouble } from './explain-provider.ts'
import { type ProviderFetch, readText } from './provider-fetch.ts'
import { BROWSER_ACCESS } from './provider-model.ts'

const LARGEST_LIST = 4 * 1024 * 1024
const MOST_MODELS = 2_000
const TIMEOUT_MS = 15_000
/** Models of one Ollama that are asked for, one request each. */
const MOST_ASKED = 100

/** The models that a service has, by name, and what it says they accept besides text. */
export interface ModelList {
  models: string[]
  acceptedMedia: Record<string, AcceptedMedia>
}

export async function listModels(ask: ProviderFetch, asked: Asked, now: () => number): Promise<ModelList> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const query = asked.kind === 'anthropic' ? '?limit=1000' : ''
  try {
    const response = await ask(`${asked.baseUrl}/models${query}`, { headers: headersFor(asked), signal })
    const { models, isOllama } = readList(await readText(response, LARGEST_LIST), asked.name)
    const described = isOllama ? await askOllama(ask, asked, [...models.keys()], signal) : models
    return {
      models: [...models.keys()],
      acceptedMedia: Object.fromEntries([...described].flatMap(([id, media]) => (media ? [[id, media]] : []))),
    }
  } catch (error) {
    if (!signal.aborted) throw explainTrouble(error, asked, now())
    throw new Failed(
      'timeout',
      `${asked.name} did not send its list of models within ${TIMEOUT_MS / 1000} s. Try again.`,
    )
  }
}

function headersFor({ kind, key }: Asked): Record<string, string> {
  if (kind === 'anthropic')
    return { 'anthropic-version': '2023-06-01', ...BROWSER_ACCESS, ...(key === undefined ? {} : { 'x-api-key': key }) }
  return key === undefined ? {} : { authorization: `Bearer ${key}` }
}

interface Listed {
  /** By name, sorted; with what the service says of each. */
  models: ReadonlyMap<string, AcceptedMedia | undefined>
  isOllama: boolean
}

function readList({ text, isWhole }: { text: string; isWhole: boolean }, name: string): Listed {
  const refusal = (why: string) =>
    new Failed('protocol', `${name} sent no list of models: ${why}. Check the address; it often ends in /v1.`)
  if (!isWhole) throw refusal(`its answer is longer than ${LARGEST_LIST} characters`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw refusal('its answer is not JSON')
  }
  const data = (json as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) throw refusal('its answer has no "data"')
  const named = data.flatMap((model: unknown) => {
    const id = field(model, 'id')
    return typeof id === 'string' && id !== '' && id.length <= 200 ? [{ id, media: mediaOf(model) }] : []
  })
  const byId = new Map(named.map(({ id, media }) => [id, media]))
  const sorted = [...byId].sort(([a], [b]) => a.localeCompare(b)).slice(0, MOST_MODELS)
  // The owner of every model that Ollama pulled from its library.
  const isOllama = data.some((model: unknown) => field(model, 'owned_by') === 'library')
  return { models: new Map(sorted), isOllama }
}

/** Ollama's list says nothing of inputs; its own interface does, one model at a time. Without an answer nothing is known. */
async function askOllama(
  ask: ProviderFetch,
  asked: Asked,
  models: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, AcceptedMedia | undefined>> {
  const url = `${asked.baseUrl.replace(/\/v1$/, '')}/api/show`
  const headers = { ...headersFor(asked), 'content-type': 'application/json' }
  const described = models.slice(0, MOST_ASKED).map(async (model): Promise<[string, AcceptedMedia | undefined]> => {
    try {
      const response = await ask(url, { method: 'POST', headers, body: JSON.stringify({ model }), signal })
      const { text } = await readText(response, LARGEST_LIST)
      const capabilities = field(JSON.parse(text), 'capabilities')
      if (!Array.isArray(capabilities)) return [model, undefined]
      return [model, { pictures: capabilities.includes('vision'), audio: capabilities.includes('audio') }]
    } catch {
      return [model, undefined]
    }
  })
  return new Map(await Promise.all(described))
}

/** What an entry says of its inputs: OpenRouter lists them, Mistral has a flag, most services say nothing. */
function mediaOf(model: unknown): AcceptedMedia | undefined {
  const inputs = field(field(model, 'architecture'), 'input_modalities')
  if (Array.isArray(inputs)) return { pictures: inputs.includes('image'), audio: inputs.includes('audio') }
  const vision = field(field(model, 'capabilities'), 'vision')
  return typeof vision === 'boolean' ? { pictures: vision, audio: false } : undefined
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
