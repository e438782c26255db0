import { type MouseEvent, type PointerEvent, useRef } from 'react'

/**
 * What closes a dialog when one presses beside it. On the click, not before: the rest of a press whose beginning has closed the
 * dialog would be for what lies under it. And only where the press began there too, so that who marks text and slips out stays.
 */
export function useCloseBeside(close: () => void) {
  const isBeside = useRef(false)
  return {
    onPointerDown: ({ target, currentTarget }: PointerEvent) => {
      isBeside.current = target === currentTarget
    },
    onClick: ({ target, currentTarget }: MouseEvent) => {
      if (isBeside.current && target === currentTarget) close()
    },
  }
}
