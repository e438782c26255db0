import type { MCPAppResource } from '../apps/read-app-resource.ts'
import { canonicalJson } from './canonical-json.ts'
import { digest } from './digest.ts'

/** Pins the page of an app and what it asks of its host. */
export function fingerprintMCPAppResource({ html, meta }: Pick<MCPAppResource, 'html' | 'meta'>): Promise<string> {
  return digest(canonicalJson({ html, csp: meta?.csp ?? null, permissions: meta?.permissions ?? null }, 'null'))
}

/** Whether the page is another than the one that was trusted. */
export function detectMCPAppResourceDrift(current: string, baseline: string): boolean {
  return current !== baseline
}
