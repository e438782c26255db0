import { Failed } from '#domain/failure.ts'
import { type Asked, explainTrouble } from './explain-provider.ts'
import { type ProviderFetch, readText } from './provider-fetch.ts'
import { BROWSER_ACCESS } from './provider-model.ts'

const LARGEST_LIST = 4 * 1024 * 1024
const MOST_MODELS = 2_000
const TIMEOUT_MS = 15_000

/** The models that a service has, by name. */
export async function listModels(ask: ProviderFetch, asked: Asked, now: () => number): Promise<string[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const query = asked.kind === 'anthropic' ? '?limit=1000' : ''
  try {
    const response = await ask(`${asked.baseUrl}/models${query}`, { headers: headersFor(asked), signal })
    return readList(await readText(response, LARGEST_LIST), asked.name)
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

function readList({ text, isWhole }: { text: string; isWhole: boolean }, name: string): string[] {
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
  const ids = data.map((model: unknown) => (model as { id?: unknown } | null)?.id)
  const named = ids.filter((id): id is string => typeof id === 'string' && id !== '' && id.length <= 200)
  return [...new Set(named)].sort((a, b) => a.localeCompare(b)).slice(0, MOST_MODELS)
}
