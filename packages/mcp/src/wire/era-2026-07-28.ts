import type { Era } from './era.ts'

export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo'

/** The era without sessions: this revision and later ones. */
export const statelessEra = (revision: string): Era => ({
  revision,
  stateless: true,
  // Spelt out: names that are put together make it ten times as slow.
  meta: ({ clientInfo, logLevel }, capabilities) => ({
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/logLevel': logLevel,
  }),
  allows: (method, { resultType = 'complete' }) =>
    resultType === 'complete' ||
    (resultType === 'input_required' && /^(tools\/call|resources\/read|prompts\/get)$/.test(method)),
})
