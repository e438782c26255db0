import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import { classNames } from '../class-names.ts'
import { CopyButton } from '../copy-button.tsx'
import styles from './code-block.module.css'
import type { Token } from './highlight.ts'

/** Longer code is shown without colours: they would cost more than they give. */
const MAX_COLOURED = 20_000

/** Code as it is, with its language and a way to copy it. Colours come once it is whole, and change no line's place. */
export function CodeBlock({
  code,
  textToCopy,
  language,
  isWhole,
}: {
  code: string
  /** Differs from the code shown if that continues in the next section. */
  textToCopy: string | (() => string)
  language: string
  isWhole: boolean
}) {
  const tokens = useTokens(code, language, isWhole)
  return (
    <figure className={styles.block}>
      <figcaption className={styles.bar}>
        <span>{language || 'text'}</span>
        <CopyButton text={textToCopy} label="Copy code" withWords />
      </figcaption>
      {/* What scrolls must be reachable by keyboard. */}
      <pre className={styles.code} tabIndex={0}>
        <code>{tokens ? drawToken(tokens) : visibleText(code)}</code>
      </pre>
    </figure>
  )
}

/** A further part of long code. Its first part has the button that copies all of it. */
export const ContinuedCode = ({ code }: { code: string }) => (
  <figure className={classNames(styles.block, styles.continued)}>
    <pre className={styles.code} tabIndex={0}>
      <code>{visibleText(code)}</code>
    </pre>
  </figure>
)

function useTokens(code: string, language: string, isWhole: boolean): Token | undefined {
  const [found, setFound] = useState<{ code: string; tokens: Token | undefined }>()
  useEffect(() => {
    if (!isWhole || !language || code.length > MAX_COLOURED) return
    let isWanted = true
    void import('./highlight.ts').then(({ highlight }) => {
      if (isWanted) setFound({ code, tokens: highlight(code, language) })
    })
    return () => {
      isWanted = false
    }
  }, [code, language, isWhole])
  return found?.code === code ? found.tokens : undefined
}

function drawToken(token: Token): ReactNode {
  if (typeof token === 'string') return visibleText(token)
  const children = token.children.map((child, index) => <Fragment key={index}>{drawToken(child)}</Fragment>)
  // Of "title.function" the first word chooses the colour.
  const scope = token.scope?.split('.')[0]
  return scope ? <span className={styles[scope]}>{children}</span> : children
}
