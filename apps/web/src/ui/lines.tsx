import type { ReactNode } from 'react'
import styles from './lines.module.css'

/** A framed list of things to compare, a line each. */
export const Lines = ({ children }: { children: ReactNode }) => <ul className={styles.lines}>{children}</ul>

/** The first child takes the room, what follows stands at its end. */
export const Line = ({ children }: { children: ReactNode }) => <li className={styles.line}>{children}</li>
