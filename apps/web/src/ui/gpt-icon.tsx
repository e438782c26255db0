import { classNames } from './class-names.ts'
import styles from './gpt-icon.module.css'

/** A GPT's face: its emoji, its picture, or its first letter. */
export const GptIcon = ({ icon, name, small }: { icon: string; name: string; small?: boolean }) => (
  <span className={classNames(styles.icon, small && styles.small)} aria-hidden="true">
    {icon.startsWith('data:image/') ? <img src={icon} alt="" /> : icon || name.trim().slice(0, 1).toUpperCase() || '?'}
  </span>
)
