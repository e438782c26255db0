import type { Code, Definition, ListItem, Nodes, Table, Text } from 'mdast'
import { createElement, Fragment, type ReactNode } from 'react'
import { visibleText } from '#lib/visible-text.ts'
import { CodeBlock, ContinuedCode } from './code-block.tsx'
import { LinkedText } from './linked-text.tsx'
import styles from './markdown.module.css'
import { Picture } from './picture.tsx'

/**
 * How a block takes part in a code block that is longer than a section: the code on its first line continues that of the
 * section before, or the code at its end may continue in the next one and is copied as a whole.
 */
export type FencePart = 'continued' | { wholeCode: (own: string) => string }

interface Context {
  source: string
  definitions: ReadonlyMap<string, Definition>
  isWhole: boolean
  fence: FencePart | undefined
  firstLine: number | undefined
  depth: number
}

/** Deeper than anybody writes; what a stranger nests deeper is shown as it stands. */
const MAX_DEPTH = 40

/** A node of Markdown as elements. HTML in it is text like any other. */
export function drawNode(node: Nodes, context: Context): ReactNode {
  if (context.depth > MAX_DEPTH) return visibleText(sourceOf(node, context.source))
  const within = { ...context, depth: context.depth + 1 }
  switch (node.type) {
    case 'text':
      return context.depth === 0 ? (
        <div className={styles.asItStands}>{visibleText(node.value)}</div>
      ) : (
        visibleText(withMath(node, context))
      )
    case 'html':
      return context.depth === 0 ? <p>{visibleText(node.value)}</p> : visibleText(node.value)
    case 'paragraph':
      return <p>{drawChildren(node.children, within)}</p>
    case 'heading':
      // The page's own headings are the first two.
      return createElement(`h${Math.min(6, node.depth + 2)}`, undefined, drawChildren(node.children, within))
    case 'emphasis':
      return <em>{drawChildren(node.children, within)}</em>
    case 'strong':
      return <strong>{drawChildren(node.children, within)}</strong>
    case 'delete':
      return <del>{drawChildren(node.children, within)}</del>
    case 'inlineCode':
      return <code>{visibleText(node.value)}</code>
    case 'code':
      return drawCode(node, context)
    case 'blockquote':
      return <blockquote>{drawChildren(node.children, within)}</blockquote>
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1}>{drawItems(node.children, within)}</ol>
      ) : (
        <ul>{drawItems(node.children, within)}</ul>
      )
    case 'thematicBreak':
      return <hr />
    case 'break':
      return <br />
    case 'link':
      return (
        <LinkedText
          address={node.url}
          source={sourceOf(node, context.source)}
          text={textOf(node)}
          isCode={isAllCode(node.children)}
        >
          {drawChildren(node.children, within)}
        </LinkedText>
      )
    case 'linkReference':
      return (
        <LinkedText
          address={context.definitions.get(node.identifier)?.url ?? ''}
          source={sourceOf(node, context.source)}
          text={textOf(node)}
          isCode={isAllCode(node.children)}
        >
          {drawChildren(node.children, within)}
        </LinkedText>
      )
    case 'image':
      return <Picture address={node.url} words={node.alt ?? ''} />
    case 'imageReference':
      return <Picture address={context.definitions.get(node.identifier)?.url ?? ''} words={node.alt ?? ''} />
    case 'table':
      return drawTable(node, within)
    case 'footnoteReference':
      return <sup>[{visibleText(node.label ?? node.identifier)}]</sup>
    case 'footnoteDefinition':
      return (
        <div className={styles.footnote}>
          <sup>[{visibleText(node.label ?? node.identifier)}]</sup> {drawChildren(node.children, within)}
        </div>
      )
    case 'definition':
      return null
    default:
      return visibleText(sourceOf(node, context.source))
  }
}

function drawCode(node: Code, { source, isWhole, fence, firstLine }: Context): ReactNode {
  const { value, lang, position } = node
  if (fence === 'continued' && position?.start.line === firstLine)
    return value === '' ? null : <ContinuedCode code={value} />
  const isAtEnd = (position?.end.offset ?? 0) >= source.trimEnd().length
  return (
    <CodeBlock
      code={value}
      textToCopy={typeof fence === 'object' && isAtEnd ? () => fence.wholeCode(value) : value}
      language={visibleText(lang ?? '').slice(0, 40)}
      isWhole={isWhole}
    />
  )
}

/** What a node says, without its marks. */
function textOf(node: Nodes): string {
  if ('value' in node) return node.value
  if ('children' in node) return node.children.map(textOf).join('')
  return 'alt' in node ? (node.alt ?? '') : ''
}

const isAllCode = (nodes: readonly Nodes[]): boolean => nodes.every(({ type }) => type === 'inlineCode')

const drawChildren = (children: readonly Nodes[], context: Context): ReactNode =>
  children.map((child, index) => <Fragment key={index}>{drawNode(child, context)}</Fragment>)

function drawItems(items: readonly ListItem[], context: Context): ReactNode {
  return items.map((item, index) => {
    // A paragraph alone in its item would be set apart like one between two others.
    const children = item.children.flatMap((child): Nodes[] =>
      child.type === 'paragraph' && !item.spread ? child.children : [child],
    )
    return (
      <li key={index}>
        {item.checked != null && (
          <span role="img" aria-label={item.checked ? 'done' : 'to do'}>
            {item.checked ? '☑ ' : '☐ '}
          </span>
        )}
        {drawChildren(children, context)}
      </li>
    )
  })
}

function drawTable({ children: rows, align }: Table, context: Context): ReactNode {
  const [head, ...body] = rows
  const drawCells = (row: Table['children'][number], tag: 'th' | 'td') =>
    row.children.map((cell, index) =>
      createElement(
        tag,
        { key: index, className: styles[align?.[index] ?? 'left'] },
        drawChildren(cell.children, context),
      ),
    )
  return (
    // What scrolls must be reachable by keyboard.
    <div className={styles.table} role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>{head && <tr>{drawCells(head, 'th')}</tr>}</thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>{drawCells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const sourceOf = ({ position }: Nodes, source: string): string =>
  source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0)

const MATH = /\$\$[^]+?\$\$|\$[^$\n]+\$|\\\([^]+?\\\)|\\\[[^]+?\\\]/g
const ESCAPE = /\\([!-/:-@[-`{-~])/g

/** Formulas as they were written: Markdown would take a backslash before a punctuation mark for its own. */
function withMath(node: Text, { source, depth }: Context): string {
  const written = sourceOf(node, source)
  // In a quotation or a list, the lines of a source begin with marks of those.
  if (!written.includes('\\') || (depth > 1 && written.includes('\n'))) return node.value
  const formulas = [...written.matchAll(MATH)]
  if (formulas.length === 0) return node.value
  let drawn = ''
  let end = 0
  for (const { index, 0: formula } of formulas) {
    drawn += written.slice(end, index).replace(ESCAPE, '$1') + formula
    end = index + formula.length
  }
  return drawn + written.slice(end).replace(ESCAPE, '$1')
}
