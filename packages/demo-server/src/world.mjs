import { createTasks } from './tasks.mjs'

/** How often the clock that can be watched moves on. */
const TICK_MS = 5000

export const CLOCK_URI = 'demo://clock'
export const NOTE_TEMPLATE = 'note://{name}'
/** @param {string} name */
export const noteUri = (name) => `note://${encodeURIComponent(name)}`

/** @typedef {ReturnType<typeof createWorld>} World */

/** What the tools change and everybody sees; gone when the server ends. */
export function createWorld() {
  /** @type {Map<string, string>} */
  const notes = new Map([
    ['groceries', 'Apples, bread, a lemon.'],
    ['ideas', 'Write a program that waters the plants.'],
    ['travel', 'Lisbon in May. Ask Ada about the tram.'],
  ])
  /** @type {Set<(uri: string) => void>} */
  const noteListeners = new Set()
  /** @type {Set<() => void>} */
  const listListeners = new Set()
  /** @param {string} uri */
  const tell = (uri) => {
    for (const listener of noteListeners) listener(uri)
  }
  const tick = setInterval(() => tell(CLOCK_URI), TICK_MS)
  tick.unref()

  const tasks = createTasks()

  return {
    notes,
    tasks,
    /** Where the pages of this server are. */
    origin: 'http://localhost/',
    /** @param {string} name @param {string} text */
    writeNote(name, text) {
      const isNew = !notes.has(name)
      notes.set(name, text)
      tell(noteUri(name))
      if (isNew) for (const listener of listListeners) listener()
    },
    /** @param {string} name */
    deleteNote(name) {
      if (!notes.delete(name)) return false
      tell(noteUri(name))
      for (const listener of listListeners) listener()
      return true
    },
    /** Hears which resource changed. @param {(uri: string) => void} listener */
    onNoteChange(listener) {
      noteListeners.add(listener)
      return () => void noteListeners.delete(listener)
    },
    /** Hears that there are other notes than before. @param {() => void} listener */
    onListChange(listener) {
      listListeners.add(listener)
      return () => void listListeners.delete(listener)
    },
    stop() {
      clearInterval(tick)
      tasks.stop()
    },
  }
}
