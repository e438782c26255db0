import type { ReactNode } from 'react'
import { Link } from 'wouter'
import buttons from './button.module.css'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

/** A link that looks like a button, because it is the next step. */
export const LinkButton = ({
  href,
  look = 'plain',
  icon,
  children,
}: {
  href: string
  look?: 'primary' | 'plain'
  icon?: IconName
  children: ReactNode
}) => (
  <Link href={href} className={classNames(buttons.button, buttons[look])}>
    {icon && <Icon name={icon} size={17} />}
    {children}
  </Link>
)
