/** The contestants: every peers/<id>/adapter.js, once per protocol era it names. */
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { PEERS } from './paths.js'

/** The baseline first, then ours; ratios are against the baseline. */
const ORDER = ['limit', 'switchboard', 'sdk2', 'sdk1', 'aisdk']
export const BASELINE = 'limit'
export const OURS = 'switchboard'

export function peerIds(only) {
  const rank = (id) => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length)
  const all = fs
    .readdirSync(PEERS)
    .filter((id) => fs.existsSync(adapterPath(id)))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  if (only === undefined) return all
  const wanted = only.split(',')
  const unknown = wanted.filter((id) => !all.includes(id))
  if (unknown.length > 0) throw new TypeError(`Unknown peer ${unknown.join(', ')}: there are ${all.join(', ')}`)
  return all.filter((id) => id === BASELINE || wanted.includes(id))
}

export const adapterPath = (id) => path.join(PEERS, id, 'adapter.js')

export async function loadAdapters(ids) {
  const out = {}
  for (const id of ids) out[id] = await import(pathToFileURL(adapterPath(id)).href)
  return out
}

/** [{ key: 'sdk2@2026', id: 'sdk2', era: '2026' }, …] */
export function contestants(adapters, eras = ['2025', '2026']) {
  return eras.flatMap((era) =>
    Object.values(adapters)
      .filter(({ meta }) => meta.eras.includes(era))
      .map(({ meta }) => ({ key: `${meta.id}@${era}`, id: meta.id, era })),
  )
}

/** Those who take part in a scenario. */
export const entrantsOf = (adapters, all, { eras, needs }) =>
  all.filter(({ id, era }) => (eras?.includes(era) ?? true) && (needs === undefined || needs in adapters[id]))

/** The packages a peer needs, by name; empty for those that live in this repository. */
export function dependencies(id) {
  const manifest = path.join(PEERS, id, 'package.json')
  return fs.existsSync(manifest) ? (JSON.parse(fs.readFileSync(manifest, 'utf8')).dependencies ?? {}) : {}
}
