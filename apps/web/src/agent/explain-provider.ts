import type { AcceptedMedia } from '#domain/accepted-media.ts'
import { Failed, type FailureCode } from '#domain/failure.ts'
import { isLoopback } from '#domain/loopback.ts'
import type { ModelKind } from '#domain/model-connection.ts'
import { visibleText } from '#lib/visible-text.ts'

/** Who was asked, for the words of a failure. */
export interface Asked {
  kind: ModelKind
  /** Name of the connection. */
  name: string
  baseUrl: string
  modelId?: string
  /** Blotted out wherever the service repeats it. */
  key: string | undefined
}

/** A refusal by HTTP, or by an error within the stream. */
export interface Refusal {
  status: number | undefined
  body: string
  retryAfterMs?: number | undefined
  /** The pictures and audio that the request held. */
  sent?: AcceptedMedia
}

/** What a request body in any of the wire formats holds besides text. Quotes within texts are escaped, so no text matches. */
export function mediaInRequest(body: unknown): AcceptedMedia {
  const json = typeof body === 'string' ? body : ''
  return {
    pictures: /"type":"(?:image_url|input_image|image)"/.test(json),
    audio: json.includes('"type":"input_audio"'),
  }
}

/** A failure of a model service, and whether asking once more may help. */
export class ProviderFailed extends Failed {
  override name = 'ProviderFailed'
  readonly mayPass: boolean
  constructor(code: FailureCode, message: string, options: { mayPass?: boolean; retryAt?: number } = {}) {
    super(code, message, options.retryAt === undefined ? {} : { retryAt: options.retryAt })
    this.mayPass = options.mayPass ?? false
  }
}

const LONGEST_QUOTE = 300
const LONGEST_WAIT_MS = 600_000
const KEY_LIKE = /\b(?:sk|pk|key|api)[-_][\w*.-]{6,}/gi

/** What a service says, fit to be shown: short, nothing hidden, and without the key. */
function quote(said: string, key: string | undefined): string {
  const withoutKey = key ? said.replaceAll(key, '•••') : said
  const line = visibleText(withoutKey.replace(KEY_LIKE, '•••')).replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

function readBody(body: string): { message: string; type: string } {
  try {
    const json: unknown = JSON.parse(body)
    const error = field(json, 'error') ?? json
    const message = typeof error === 'string' ? error : (field(error, 'message') ?? field(json, 'message'))
    const type = [field(error, 'code'), field(error, 'type')].filter((one) => typeof one === 'string').join(' ')
    return { message: typeof message === 'string' ? message : '', type }
  } catch {
    // A page in HTML says nothing to anybody.
    return { message: body.trimStart().startsWith('<') ? '' : body, type: '' }
  }
}

const hostOf = (url: string): string => {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

/** A service that answered, and did not do what it was asked. */
export function explainRefusal(
  { status, body, retryAfterMs, sent }: Refusal,
  asked: Asked,
  now: number,
): ProviderFailed {
  const { message, type } = readBody(body)
  const said = quote(message, asked.key)
  const host = hostOf(asked.baseUrl)
  const who = asked.name === host ? host : `${asked.name} (${host})`
  const because = said ? ` It says: ${said}` : ''
  const answered = status === undefined ? `${who} broke off` : `${who} answered ${status}`
  const about = `${type} ${message}`.toLowerCase()

  if (/insufficient_quota|billing|credit balance|exceeded your current quota/.test(about))
    return new ProviderFailed(
      'rate-limit',
      `The account at ${who} has no credit left. Add some there, then continue.${because}`,
    )
  if (status === 401 || status === 403 || /invalid_api_key|authentication_error|permission_error/.test(about))
    return asked.key === undefined
      ? new ProviderFailed('wrong-key', `${who} wants a key, and none is set. Add it under Settings, Models.`)
      : new ProviderFailed(
          'wrong-key',
          `${who} refused the key. Check that it is whole, still valid, and allowed to use this model.`,
        )
  if (
    /context_length|context window|maximum context|prompt is too long|too many tokens|request_too_large/.test(about) ||
    status === 413
  )
    return new ProviderFailed(
      'too-long',
      `The conversation is longer than ${modelName(asked)} can read. Begin a new chat, or choose a model with a larger context.${because}`,
    )
  const media = sent && mediaName(sent)
  // Before the others: services also answer 404 or 500 when a model can't read pictures. Names of models hold these words too.
  const isAboutMedia = MEDIA_WORDS.test(asked.modelId ? about.replaceAll(asked.modelId.toLowerCase(), '') : about)
  if (sent && media && status !== 429 && isAboutMedia)
    return new ProviderFailed(
      'refused-by-model',
      `${answered} and refused the ${media}. ${mediaStep(sent, asked)}${because}`,
    )
  if (/model_not_found|not_found_error/.test(about) || (/\bmodel\b/.test(about) && status === 404))
    return new ProviderFailed(
      'unknown-model',
      `${who} has no model called ${modelName(asked)}. Choose another in the GPT's settings.${because}`,
    )
  if (status === 404)
    return new ProviderFailed(
      'unknown-model',
      `${answered}: nothing is at this address, or it has no model called ${modelName(asked)}. Check the address and the model.${because}`,
    )
  if (status === 429 || status === 503 || status === 529 || /rate_limit|overloaded/.test(about)) {
    const isBusy = status !== 429 && !about.includes('rate_limit')
    const text = isBusy ? `${who} has too much to do at the moment.` : `${who} takes no more requests for now.`
    const retryAt = retryAfterMs === undefined ? {} : { retryAt: now + Math.min(retryAfterMs, LONGEST_WAIT_MS) }
    return new ProviderFailed('rate-limit', `${text} Try again a little later.${because}`, {
      mayPass: true,
      ...retryAt,
    })
  }
  if (status === 408 || status === 504)
    return new ProviderFailed('timeout', `${answered}: it took too long. Try again.${because}`, { mayPass: true })
  if (/content_filter|content_policy|safety/.test(about))
    return new ProviderFailed(
      'refused-by-model',
      `${who} declined to answer this. Say it differently, or choose another model.${because}`,
    )
  if (status === undefined || status >= 500)
    return new ProviderFailed('no-network', `${answered}. The trouble is on its side; try again.${because}`, {
      mayPass: true,
    })
  if (sent && media)
    return new ProviderFailed(
      'refused-by-model',
      `${answered} and did not take the request, which holds ${media}. ${mediaStep(sent, asked)} If it can, check its other settings.${because}`,
    )
  return new ProviderFailed(
    'refused-by-model',
    `${answered} and did not take the request. Check the model and its settings.${because}`,
  )
}

/** How services say that a model reads only text. */
const MEDIA_WORDS =
  /image|vision|picture|audio|modal|mmproj|must be a string|expected (?:a )?string|content (?:part|type)/

/** Empty if there are none. */
const mediaName = ({ pictures, audio }: AcceptedMedia): string =>
  [pictures && 'pictures', audio && 'audio'].filter(Boolean).join(' and ')

const mediaStep = ({ pictures, audio }: AcceptedMedia, asked: Asked): string => {
  const settings = [pictures && '“Accepts pictures”', audio && '“Accepts audio”'].filter(Boolean).join(' and ')
  return `If ${modelName(asked)} can't read that, turn off ${settings} in the GPT's settings and continue, or choose another model.`
}

const modelName = ({ modelId }: Asked): string => (modelId ? `"${modelId}"` : 'this model')

/** No answer came at all. In a browser a wrong address, no network and a service that forbids pages look the same. */
export function explainSilence(asked: Asked, isOnline: boolean): ProviderFailed {
  const host = hostOf(asked.baseUrl)
  if (!isOnline)
    return new ProviderFailed('no-network', `${host} was not reached: this device is offline.`, { mayPass: true })
  if (isLoopback(new URL(asked.baseUrl).hostname))
    return new ProviderFailed(
      'cors',
      `${host} does not answer. Either nothing runs there, or it does not let this page in: start it, and allow this page's address in its settings (OLLAMA_ORIGINS for Ollama, "Enable CORS" in LM Studio).`,
      { mayPass: true },
    )
  return new ProviderFailed(
    'cors',
    `${host} does not answer. Either there is no connection to it (check the address and the network), or it forbids pages of a browser (CORS): then it needs to allow this page's address.`,
    { mayPass: true },
  )
}

/** Seconds, milliseconds or a date, as services say when they want to be asked again. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (ms >= 0) return ms
  const said = headers.get('retry-after')
  if (said === null) return undefined
  const wait = /^\d+(\.\d+)?$/.test(said) ? Number(said) * 1000 : Date.parse(said) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** Anything that went wrong while a model was asked, in words. */
export function explainTrouble(error: unknown, asked: Asked, now: number): Failed {
  // Providers wrap what they do not know.
  for (let inner = error, depth = 0; inner !== undefined && depth < 5; inner = field(inner, 'cause'), depth += 1)
    if (inner instanceof Failed) return inner
  const status = field(error, 'statusCode')
  // It had agreed to answer: what follows are words of the provider, about a stream that broke.
  if (typeof status === 'number' && status < 300) return explainRefusal({ status: undefined, body: '' }, asked, now)
  const body = field(error, 'responseBody') ?? field(error, 'data')
  const told = typeof body === 'string' ? body : JSON.stringify(body ?? { error: { message: messageOf(error) } })
  return explainRefusal({ status: typeof status === 'number' ? status : undefined, body: told }, asked, now)
}

function messageOf(error: unknown): string {
  const message = field(error, 'message')
  return typeof message === 'string' ? message : ''
}
