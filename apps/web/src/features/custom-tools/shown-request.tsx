import { visibleText } from '#lib/visible-text.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import styles from './custom-tools.module.css'

export interface RequestToShow {
  method: string
  url: string
  /** Without a value: it is secret. */
  headers: readonly { name: string; value?: string }[]
  body?: string
}

/** A request as it travels; who asks is only named. */
export function ShownRequest({ request, label }: { request: RequestToShow; label: string }) {
  const text = [
    `${request.method} ${request.url}`,
    ...request.headers.map(({ name, value }) => `${name}: ${value ?? '••• (from the vault)'}`),
    ...(request.body === undefined ? [] : ['', pretty(request.body)]),
  ].join('\n')
  return (
    <figure className={styles.request} aria-label={label}>
      <figcaption className={styles.requestHead}>
        {label}
        <CopyButton text={text} label="Copy the request" />
      </figcaption>
      {/* It scrolls, so it can be reached by keys. */}
      <pre className={styles.code} tabIndex={0}>
        {visibleText(text)}
      </pre>
    </figure>
  )
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
