import { Icon, type IconName } from './icon.tsx'
import styles from './server-picture.module.css'

/** The icon of a server or a tool. Only one that is here already: showing it must tell nobody. */
export function ServerPicture({ src, fallback, size }: { src: string | undefined; fallback: IconName; size: number }) {
  if (!src?.startsWith('data:image/')) return <Icon name={fallback} size={size} />
  return <img className={styles.picture} src={src} alt="" width={size} height={size} decoding="async" />
}
