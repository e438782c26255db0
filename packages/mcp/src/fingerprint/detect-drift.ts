import type { ToolFingerprints } from './fingerprint-tools.ts'

/** What is different from the tools that were trusted. */
export interface ToolDrift {
  added: string[]
  removed: string[]
  changed: string[]
}

/** Compares fingerprints of now with those of then. */
export function detectToolDrift(current: ToolFingerprints, baseline: ToolFingerprints): ToolDrift {
  const names = Object.keys(current)
  return {
    added: names.filter((name) => !Object.hasOwn(baseline, name)),
    removed: Object.keys(baseline).filter((name) => !Object.hasOwn(current, name)),
    changed: names.filter((name) => Object.hasOwn(baseline, name) && current[name] !== baseline[name]),
  }
}
