import type { JsonChange } from '#domain/json-changes.ts'
import { visibleText } from '#lib/visible-text.ts'
import styles from './changes-view.module.css'

/** What differs, place by place: what it was, and what it is. */
export function ChangesView({ changes }: { changes: readonly JsonChange[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map(({ path, before, after }) => (
        <div key={path}>
          <dt>
            <code>{visibleText(path) || 'all of it'}</code>{' '}
            {before === undefined ? 'was added' : after === undefined ? 'was taken away' : 'is different'}
          </dt>
          {before !== undefined && (
            <dd>
              <del className={styles.before}>
                <span className="visually-hidden">before: </span>
                {visibleText(before)}
              </del>
            </dd>
          )}
          {after !== undefined && (
            <dd>
              <ins className={styles.after}>
                <span className="visually-hidden">now: </span>
                {visibleText(after)}
              </ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
