const shapes = {
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM20 20l-4-4',
  chat: 'M4 5h16v11H9l-5 4V5Z',
  server: 'M4 4h16v7H4zM4 13h16v7H4zM8 7.5h.01M8 16.5h.01',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  unlock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.8-1.2',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5.5 11.8h.1v.4h-.1zM11.95 11.8h.1v.4h-.1zM18.4 11.8h.1v.4h-.1z',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  check: 'M5 12.5l4.5 4.5L19 7',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  edit: 'M4 20h4L19 9l-4-4L4 16v4Z',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  warning: 'M12 4l9 16H3L12 4ZM12 10v4M12 17h.01',
  question: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM9.8 9.6a2.3 2.3 0 1 1 3.2 2.1c-.7.3-1 .8-1 1.6M12 16.2h.01',
  info: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 11v5M12 8h.01',
  tool: 'M14.5 6.5a4 4 0 0 0 4.6 5.2L11 20l-4-4 8.2-8.1M5 19h.01',
  archive: 'M4 5h16v4H4zM6 9v11h12V9M10 13h4',
  duplicate: 'M8 8h12v12H8zM16 8V4H4v12h4',
  key: 'M8 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM11.5 12H21M17.5 12v4M14.5 12v2.5',
  cancel: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM6.5 6.5l11 11',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4.5l3 2',
  play: 'M8 5l11 7-11 7V5Z',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  sparkle: 'M12 4l1.8 6.2L20 12l-6.2 1.8L12 20l-1.8-6.2L4 12l6.2-1.8L12 4Z',
  branch: 'M7 5v14M7 9c0 4 10 2 10 7M7 4.5h.01M17 17h.01',
  bottom: 'M12 5v14M6 13l6 6 6-6',
} as const

export type IconName = keyof typeof shapes

/** A picture beside words; alone, the button around it has the words. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
