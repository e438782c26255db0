import type { Era } from './era.ts'
import { META_PREFIX, VERSION_KEY } from './http-headers.ts'

export const SERVER_INFO = `${META_PREFIX}serverInfo`

/** The era without sessions: this revision and later ones. */
export const statelessEra = (revision: string): Era => ({
  revision,
  stateless: true,
  meta: ({ clientInfo, logLevel }, capabilities) => ({
    [VERSION_KEY]: revision,
    [`${META_PREFIX}clientInfo`]: clientInfo,
    [`${META_PREFIX}clientCapabilities`]: capabilities,
    ...(logLevel && { [`${META_PREFIX}logLevel`]: logLevel }),
  }),
  allows: (method, { resultType = 'complete' }) =>
    resultType === 'complete' ||
    (resultType === 'input_required' && /^(tools\/call|resources\/read|prompts\/get)$/.test(method)),
})
