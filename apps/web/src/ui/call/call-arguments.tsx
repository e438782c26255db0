import { fileSize } from '#lib/file-size.ts'
import { visibleText } from '#lib/visible-text.ts'
import { Button } from '../button.tsx'
import { argumentRows, readableName, readableValue } from './argument-rows.ts'
import styles from './call-arguments.module.css'

/** Of long arguments each value shows this much at either end, until all is asked for. */
const HEAD = 300
const TAIL = 100

/**
 * The arguments of a call as they are sent: no Markdown, nothing left out unless it says so. With `bytes`, values are cut
 * until `onShowAll` is pressed.
 */
export function CallArguments({
  json,
  cut,
}: {
  json: string
  cut?: { bytes: number; onShowAll: () => void } | undefined
}) {
  const rows = argumentRows(json)
  const show = (text: string) => visibleText(cut ? shorten(text) : text)
  return (
    <div className={styles.arguments}>
      {rows ? (
        <dl className={styles.rows}>
          {rows.map(({ name, value }, index) => (
            <div key={index} className={styles.row}>
              <dt>{visibleText(readableName(name))}</dt>
              <dd>{show(readableValue(value))}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <pre className={styles.text}>{show(json)}</pre>
      )}
      {rows?.length === 0 && <p className={styles.none}>No arguments</p>}
      {cut && (
        <Button small icon="down" onClick={cut.onShowAll}>
          Show all {cut.bytes.toLocaleString('en')} bytes
        </Button>
      )}
    </div>
  )
}

function shorten(text: string): string {
  if (text.length <= HEAD + TAIL) return text
  const hidden = fileSize(text.length - HEAD - TAIL)
  return `${text.slice(0, HEAD)} ⟨… ${hidden} not shown …⟩ ${text.slice(-TAIL)}`
}
