import { visibleText } from '#lib/visible-text.ts'
import { Icon } from '../icon.tsx'
import { readRaster } from '#lib/read-raster.ts'
import styles from './markdown.module.css'
import { OutgoingLink } from './outgoing-link.tsx'
import { safeLink } from './safe-link.ts'

const INLINE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i

/** A picture that is in the text itself. One that lies elsewhere is a link: to load it would tell its host who reads this. */
export function Picture({ address, words }: { address: string; words: string }) {
  const name = visibleText(words)
  if (INLINE.test(address)) {
    const raster = readRaster(address.slice(address.indexOf(',') + 1))
    return 'problem' in raster ? (
      <span className={styles.noPicture}>{`[${name || 'picture'}: ${raster.problem}]`}</span>
    ) : (
      <img className={styles.picture} src={raster.address} alt={name} width={raster.width} height={raster.height} />
    )
  }
  const link = safeLink(address)
  if (!link?.href.startsWith('http')) return <span className={styles.noPicture}>{`[picture: ${name}]`}</span>
  return (
    <OutgoingLink className={styles.noPicture} link={link} text={words}>
      <Icon name="external" size={14} /> {name ? `${name}: ` : ''}picture at {link.host}
    </OutgoingLink>
  )
}
