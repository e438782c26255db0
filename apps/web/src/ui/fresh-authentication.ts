import type { Authentication } from '#domain/server.ts'

/** Each kind of authentication before anything is entered. */
export const FRESH_AUTHENTICATION: Record<Authentication['type'], Authentication> = {
  auto: { type: 'auto' },
  none: { type: 'none' },
  bearer: { type: 'bearer' },
  'api-key': { type: 'api-key', header: 'x-api-key' },
  basic: { type: 'basic', user: '' },
  oauth2: { type: 'oauth2' },
}
