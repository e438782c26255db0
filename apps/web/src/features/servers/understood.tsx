import type { PastedEntry } from '#domain/read-pasted.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import styles from './servers.module.css'

/** What was understood of one server, what it still needs, and what was left out and why. */
export function Understood({
  format,
  notes = [],
  entry,
}: {
  format?: string
  notes?: readonly string[]
  entry: PastedEntry
}) {
  return (
    <div className={styles.understood}>
      {format && <p>This is {format}.</p>}
      {entry.problem && <Sentences icon="warning" label="Cannot be added" lines={[entry.problem]} />}
      <Sentences icon="check" label="Taken over" lines={entry.taken} />
      <Sentences icon="edit" label="Needs a value" lines={entry.needs} />
      <Sentences icon="cancel" label="Left out" lines={entry.left} />
      {notes.map((note) => (
        <p key={note} className={styles.soft}>
          {visibleText(note)}
        </p>
      ))}
    </div>
  )
}

const Sentences = ({ icon, label, lines }: { icon: IconName; label: string; lines: readonly string[] }) =>
  lines.length > 0 && (
    <p className={styles.sentence}>
      <Icon name={icon} size={15} />
      <span>
        <strong>{label}:</strong> {visibleText(lines.join(' · '))}
      </span>
    </p>
  )
