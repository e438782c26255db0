import type { ReactNode } from 'react'
import styles from './page.module.css'

/** A screen that is read from top to bottom. */
export const Page = ({ title, actions, children }: { title: ReactNode; actions?: ReactNode; children: ReactNode }) => (
  <div className={styles.scroll}>
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  </div>
)

/** A part of a page under a heading of its own. */
export const Section = ({
  title,
  hint,
  actions,
  children,
}: {
  title: ReactNode
  hint?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) => (
  <section className={styles.section}>
    <div className={styles.sectionHead}>
      <div>
        <h2>{title}</h2>
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
    {children}
  </section>
)
