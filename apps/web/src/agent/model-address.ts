import { Failed } from '#domain/failure.ts'
import { isLoopback } from '#domain/loopback.ts'
import type { ModelConnection } from '#domain/model-connection.ts'

export type ModelAddress = Pick<ModelConnection, 'kind' | 'name' | 'baseUrl' | 'api'>

const BASE_URLS: Record<ModelAddress['kind'], string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  compatible: '',
  practice: '',
}

/** Where a connection leads; refused where its key would travel in clear. */
export function baseUrlOf({ kind, name, baseUrl }: ModelAddress, hasKey: boolean): string {
  const given = baseUrl.trim() || BASE_URLS[kind]
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new Failed(
      'bad-input',
      `The address${name.trim() && ` of ${name.trim()}`} isn't a valid URL. Enter one like https://api.example.com/v1.`,
    )
  if (hasKey && url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new Failed(
      'bad-input',
      `The key${name.trim() && ` of ${name.trim()}`} is not sent to ${url.host}: without https everybody on the way could read it.`,
    )
  return given.replace(/\/+$/, '')
}

export const modelOrigin = (address: ModelAddress): string => new URL(baseUrlOf(address, false)).origin
