import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names.ts'

export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad'

export const Badge = ({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ReactNode }) => (
  <span className={classNames(styles.badge, styles[tone])} title={title}>
    {children}
  </span>
)

/** A dot with a word for those who do not see its colour. */
export const StatusDot = ({ tone, label, pulsing }: { tone: Tone; label: string; pulsing?: boolean }) => (
  <span className={classNames(styles.dot, styles[tone], pulsing && styles.pulsing)} title={label}>
    <span className="visually-hidden">{label}</span>
  </span>
)
