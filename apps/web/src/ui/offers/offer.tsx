import type { IconName } from '../icon.tsx'
import { Icon } from '../icon.tsx'
import { fileSize } from '#lib/file-size.ts'
import { visibleText } from '#lib/visible-text.ts'
import styles from './offers.module.css'

/** One of the things that a server offers, as a line: what it is called, what it is, and where it is from. */
export const Offer = ({
  icon,
  fallback,
  title,
  name,
  description,
  details,
}: {
  icon: string | undefined
  fallback: IconName
  title: string
  name: string
  description: string
  details: readonly (string | undefined)[]
}) => (
  <span className={styles.offer}>
    {icon ? (
      <img src={icon} alt="" width={20} height={20} className={styles.icon} />
    ) : (
      <Icon name={fallback} size={18} />
    )}
    <span className={styles.offerText}>
      <span className={styles.offerTitle}>{visibleText(title || name)}</span>
      <span className={styles.note}>{visibleText(details.filter(Boolean).join(' · '))}</span>
      {description && <span className={styles.description}>{visibleText(description)}</span>}
    </span>
  </span>
)

export const sizeInWords = (size: number | undefined): string | undefined =>
  size === undefined ? undefined : fileSize(size)
