import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Icon, type IconName } from './icon.tsx'

/** What will be here, and the first step to it. */
export const EmptyState = ({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName
  title: string
  children: ReactNode
  action?: ReactNode
}) => (
  <div className={styles.empty}>
    <Icon name={icon} size={28} />
    <h2>{title}</h2>
    <div className={styles.text}>{children}</div>
    {action}
  </div>
)
