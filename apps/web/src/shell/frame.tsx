import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { IconButton } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { useCloseBeside } from '#ui/close-beside.ts'
import { goToNextDecision } from '#ui/decision.tsx'
import { Icon } from '#ui/icon.tsx'
import styles from './frame.module.css'
import { COMPOSER_ID } from '../features/chat/composer-id.ts'
import { Sidebar } from './sidebar.tsx'
import { useRunningTasks } from './use-running-tasks.ts'

const loadSearch = () => import('../features/search/search.tsx')
const Search = lazy(() => loadSearch().then((m) => ({ default: m.Search })))

const isWide = () => matchMedia('(min-width: 52rem)').matches

/** The bar at the left, a drawer on a phone, and the screen beside it. */
export function Frame({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  const [isDrawerOpen, setDrawer] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const drawer = useRef<HTMLDialogElement>(null)

  useEffect(() => setDrawer(false), [location])
  useEffect(() => {
    if (isDrawerOpen) drawer.current?.showModal()
    else drawer.current?.close()
  }, [isDrawerOpen])
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key === 'F6' && !event.ctrlKey && !event.metaKey && !event.altKey) {
        // A dialog keeps the focus until it is closed.
        if (document.querySelector('dialog:modal')) return
        if (goToNextDecision(document.getElementById(COMPOSER_ID), event.shiftKey)) event.preventDefault()
        return
      }
      if (!(event.ctrlKey || event.metaKey)) return
      // With the first key of the two, so that it is there for what is typed after the second.
      loadSearch().catch(() => {})
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return
      event.preventDefault()
      setSearching(true)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])

  const search = () => {
    setDrawer(false)
    setSearching(true)
  }
  return (
    <div className={styles.frame}>
      <a className={classNames('visually-hidden', styles.skip)} href="#main" onClick={skipToMain}>
        Skip to the conversation
      </a>
      <div className={styles.bar} role="banner">
        <IconButton
          label="Open the menu"
          icon="menu"
          aria-expanded={isDrawerOpen}
          onClick={() => (isWide() ? undefined : setDrawer(true))}
        />
        <span className={styles.name}>Switchboard</span>
        <span className={styles.barEnd}>
          <RunningTasks />
          <IconButton label="Search" icon="search" onClick={search} />
        </span>
      </div>
      <aside className={styles.side}>
        <Sidebar onSearch={search} />
      </aside>
      <dialog
        ref={drawer}
        className={styles.drawer}
        aria-label="Menu"
        onClose={() => setDrawer(false)}
        {...useCloseBeside(() => setDrawer(false))}
      >
        {isDrawerOpen && <Sidebar onSearch={search} onClose={() => setDrawer(false)} />}
      </dialog>
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {isSearching && (
        <Suspense fallback={null}>
          <Search onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** On a phone the tray is in the drawer; that there is something in it shows here. */
function RunningTasks() {
  const { length } = useRunningTasks()
  if (length === 0) return null
  return (
    <Link href="/tasks" className={styles.tasks}>
      <Icon name="clock" size={17} />
      {length} <span className="visually-hidden">{length === 1 ? 'task' : 'tasks'} at work</span>
    </Link>
  )
}

function skipToMain(event: { preventDefault: () => void }): void {
  // The hash is the route: following the link would leave the screen.
  event.preventDefault()
  document.getElementById('main')?.focus()
}
