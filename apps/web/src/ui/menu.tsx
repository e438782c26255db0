import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button, type ButtonProps, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './menu.module.css'

export interface MenuItem {
  label: string
  hint?: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
}

/** A button that opens a list of deeds. Arrow keys walk it, Escape closes it and gives the focus back. */
export function Menu({
  label,
  items,
  icon = 'more',
  text,
  look = 'quiet',
  small,
  disabled,
  notYet = false,
}: {
  label: string
  items: readonly MenuItem[]
  icon?: IconName
  /** Words on the button; without them it is a picture. */
  text?: ReactNode
  look?: ButtonProps['look']
  small?: boolean
  disabled?: boolean
  /** It opens a little later; until then it can hold the focus, which what is `disabled` cannot. */
  notYet?: boolean
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  useEffect(() => {
    const element = list.current
    const hear = (event: Event) => setOpen((event as ToggleEvent).newState === 'open')
    element?.addEventListener('toggle', hear)
    return () => element?.removeEventListener('toggle', hear)
  }, [])

  const open = (button: HTMLElement) => {
    const element = list.current
    if (!element || notYet) return
    if (element.matches(':popover-open')) return element.hidePopover()
    element.showPopover({ source: button })
    place(element, button)
    // At once: a second Enter that follows quickly is meant for the first deed, not for the button again.
    element.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus()
  }
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to =
      event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : step && (at + step + all.length) % all.length
    if (to === undefined) return
    event.preventDefault()
    all[to]?.focus()
  }
  const shared = {
    small: small ?? false,
    disabled: disabled ?? false,
    'aria-disabled': notYet || undefined,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': isOpen,
    'aria-controls': id,
    onClick: (event: { currentTarget: HTMLElement }) => open(event.currentTarget),
  }
  return (
    <>
      {text === undefined ? (
        <IconButton label={label} icon={icon} {...shared} />
      ) : (
        <Button look={look} aria-label={label} {...shared}>
          {text}
          <Icon name="down" size={14} />
        </Button>
      )}
      <div ref={list} id={id} popover="auto" role="menu" aria-label={label} className={styles.menu} onKeyDown={walk}>
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            disabled={item.disabled}
            className={classNames(styles.item, item.danger && styles.danger)}
            onClick={() => {
              list.current?.hidePopover()
              item.onSelect()
            }}
          >
            {item.icon && <Icon name={item.icon} size={16} />}
            <span>
              {item.label}
              {item.hint && <small className={styles.hint}> {item.hint}</small>}
            </span>
          </button>
        ))}
      </div>
    </>
  )
}

/** Under the button, or above it where there is more room; never outside the window. */
function place(element: HTMLElement, button: HTMLElement): void {
  const anchor = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = element
  const margin = 8
  const below = anchor.bottom + 4
  const top = below + height + margin <= window.innerHeight ? below : Math.max(margin, anchor.top - height - 4)
  const left = Math.max(margin, Math.min(anchor.left, window.innerWidth - width - margin))
  element.style.top = `${top}px`
  element.style.left = `${left}px`
}
