import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './notice.module.css'

type Tone = 'info' | 'warn' | 'bad' | 'good'
const icons: Record<Tone, IconName> = { info: 'info', warn: 'warning', bad: 'warning', good: 'check' }

/** Something to know, with the button for what to do about it. */
export function Notice({
  tone = 'info',
  title,
  children,
  actions,
}: {
  tone?: Tone
  title?: ReactNode
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className={classNames(styles.notice, styles[tone])} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icons[tone]} />
      <div className={styles.text}>
        {title && <strong>{title}</strong>}
        {children && <div>{children}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  )
}
