import { readRaster } from '#lib/read-raster.ts'
import { isObject } from '../judge-schema.ts'

const INLINE = /^data:image\/[\w.+-]+;base64,/i
/** Of base64: one that is larger is no icon. */
const LARGEST = 100_000
const MOST_LOOKED_AT = 10

/** The first icon that comes with the list itself and is a raster picture. To load one would tell its host who looks. */
export function readIcon(icons: unknown): string | undefined {
  if (!Array.isArray(icons)) return undefined
  for (const icon of icons.slice(0, MOST_LOOKED_AT) as unknown[]) {
    const src = isObject(icon) ? icon['src'] : undefined
    if (typeof src !== 'string' || src.length > LARGEST || !INLINE.test(src)) continue
    const raster = readRaster(src.slice(src.indexOf(',') + 1))
    if (!('problem' in raster)) return raster.address
  }
  return undefined
}
