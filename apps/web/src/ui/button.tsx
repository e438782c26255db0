import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

export interface ButtonProps extends ComponentProps<'button'> {
  look?: Look
  small?: boolean
  icon?: IconName
  /** It is at work: it cannot be pressed again, and says so. */
  busy?: boolean
}

export function Button({ look = 'plain', small, icon, busy, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles.button, styles[look], small && styles.small, className)}
      aria-busy={busy || undefined}
      disabled={rest.disabled || busy}
    >
      {icon && <Icon name={icon} size={small ? 15 : 17} />}
      {children}
    </button>
  )
}

/** A button that is only a picture; `label` is what it says to those who do not see it, and on hover. */
export function IconButton({
  label,
  icon,
  small,
  className,
  ...rest
}: Omit<ButtonProps, 'look' | 'children'> & { label: string; icon: IconName }) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classNames(styles.iconButton, small && styles.iconSmall, className)}
    >
      <Icon name={icon} size={small ? 16 : 18} />
    </button>
  )
}
